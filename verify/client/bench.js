#!/usr/bin/env node
// Measures what a cluster bears: a large site at once, many writes under the eyes of many followers, long lists, and one
// member that flips among ten thousand. Prints a table with the targets, and exits with 1 if one is missed. Leaves the
// cluster as it found it, also when it is stopped.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { argumentsOf, number, USAGE } from './arguments.js';
import { Cluster } from './cluster.js';
import { Figures, quantile } from './figures.js';
import { apply, PREFIX, removeAll, siteOf } from './load.js';

const values = argumentsOf(
  'bench-api',
  {
    segment: { type: 'string', default: 'p2' },
    prefix: { type: 'string', default: '10.20.0.0/24' },
    host: { type: 'string', multiple: true, default: ['10.20.0.2', '10.20.0.3'] },
    'probe-port': { type: 'string', default: '8080' },
    // Pools and members of each: of the large site, and of the one in which a member flips.
    'many-pools': { type: 'string', default: '500' },
    'few-members': { type: 'string', default: '20' },
    pools: { type: 'string', default: '200' },
    members: { type: 'string', default: '50' },
    flips: { type: 'string', default: '200' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '60' },
    watchers: { type: 'string', default: '20' },
  },
  '[--segment NAME --prefix NETWORK] [--host ADDRESS]... [--probe-port N] [--many-pools N] [--few-members N]' +
    ' [--pools N] [--members N] [--flips N] [--rate N] [--seconds N] [--watchers N]',
);
const SETTLE_MILLIS = 600_000;
const wanted = numbers();
const figures = new Figures();
const cluster = new Cluster(values);
let trouble;

function numbers() {
  const at = (option, least, most) => number(values, option, least, most);
  try {
    at('probe-port', 1, 65_535);
    return {
      manyPools: at('many-pools', 1, 2_000),
      fewMembers: at('few-members', 1, 256),
      pools: at('pools', 2, 2_000),
      members: at('members', 2, 256),
      flips: at('flips', 1, 100_000),
      rate: at('rate', 1, 1_000),
      seconds: at('seconds', 1, 3_600),
      watchers: at('watchers', 0, 200),
    };
  } catch (wrong) {
    console.error(`bench-api: ${wrong.message}`);
    process.exit(USAGE);
  }
}

/** Follows on a connection of its own; counts what it is told of changed members of the measurement. */
class Follower {
  changed = 0;
  #cluster = new Cluster(values);
  #watch;

  /** Resolves once it is sure to be told what comes. */
  begun() {
    return new Promise((resolve, reject) => {
      this.#watch = this.#cluster.watch((answer) => {
        for (const { member } of answer.events) {
          this.changed += member?.kind === 'CHANGE_KIND_CHANGED' && member.member.pool.startsWith(PREFIX) ? 1 : 0;
        }
        resolve();
      }, reject);
    });
  }

  breaks() {
    return this.#watch.breaks();
  }

  end() {
    this.#watch.end();
    this.#cluster.close();
  }
}

/**
 * Returns how many changes followers were not told of, once none is told any more. A write that nobody answered for may have
 * been done as well, so what one of them was told is what all must be told.
 */
async function unheard(followers, done) {
  let most = done;
  const missing = () => {
    most = Math.max(most, ...followers.map(({ changed }) => changed));
    return followers.reduce((sum, { changed }) => sum + most - changed, 0);
  };
  for (const end = Date.now() + 60_000; missing() > 0 && Date.now() < end; ) {
    await pause(50);
  }
  return missing();
}

/** Writes at a fixed rate, whether answers come or not; a latency counts from the moment that the write was due. */
async function writes() {
  const followers = Array.from({ length: wanted.watchers }, () => new Follower());
  await Promise.all(followers.map((follower) => follower.begun()));
  const count = wanted.rate * wanted.seconds;
  const latencies = [];
  const asked = [];
  const refusals = [];
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const due = start + (i * 1_000) / wanted.rate;
    await pause(Math.max(0, due - performance.now()));
    const round = Math.floor(i / wanted.manyPools);
    const request = {
      pool: `${PREFIX}${i % wanted.manyPools}`,
      member: `m${Math.floor(round / 2) % wanted.fewMembers}`,
      weight: round % 2 === 0 ? 50 : 100,
    };
    asked.push(
      cluster.write('SetMemberWeight', request).then(
        () => latencies.push(performance.now() - due),
        (refusal) => refusals.push(refusal),
      ),
    );
  }
  await Promise.all(asked);
  const took = (performance.now() - start) / 1_000;
  const missed = await unheard(followers, latencies.length);
  const broken = followers.reduce((sum, follower) => sum + follower.breaks(), 0);
  followers.forEach((follower) => follower.end());
  const what = `${count} writes, ${wanted.rate}/s, ${wanted.watchers} followers`;
  figures.add(`${what}: not done`, refusals.length, 'writes', 0);
  figures.add(`${what}: time for all`, took, 's', wanted.seconds + 2);
  figures.add(`${what}: p50`, quantile(latencies, 0.5), 'ms');
  figures.add(`${what}: p99`, quantile(latencies, 0.99), 'ms');
  figures.add(`${what}: changes that a follower was not told`, missed, 'events', 0);
  figures.add(`${what}: followers cut off`, broken, 'times', 0);
  if (refusals.length > 0) {
    console.error(`the first refusal: ${refusals[0].message}`);
  }
}

async function listing(members) {
  const times = [];
  for (let i = 0; i < 5; i++) {
    const start = performance.now();
    const listed = await cluster.list('ListMembers', 'members');
    times.push(performance.now() - start);
    if (listed.length < members) {
      throw new Error(`${listed.length} members are listed, must be ${members} at least`);
    }
  }
  figures.add(`list ${members} members, median of 5`, quantile(times, 0.5), 'ms', 1_000);
}

/** Waits until every member of the measurement takes traffic and every node has proven every pool; resolves to the seconds. */
async function settled() {
  const begin = Date.now();
  const end = begin + SETTLE_MILLIS;
  for (;;) {
    const listed = await cluster.list('ListMembers', 'members');
    const waiting = listed.filter(({ member, slots }) => member.pool.startsWith(PREFIX) && slots === 0).length;
    const { converged, verdict } = await cluster.call('GetClusterStatus');
    if (waiting === 0 && converged) {
      return (Date.now() - begin) / 1_000;
    }
    if (Date.now() > end) {
      throw new Error(`after ${SETTLE_MILLIS / 1_000} s ${waiting} members take no traffic, and the cluster says: ${verdict}`);
    }
    console.error(`${waiting} members take no traffic yet; ${verdict}`);
    await pause(5_000);
  }
}

/** Generations by pool, and the flow-mods that all switches were sent. */
async function standing() {
  const { pools, nodes } = await cluster.call('GetClusterStatus');
  return {
    generations: new Map(pools.map(({ name, generation }) => [name, Number(generation)])),
    flowMods: nodes.reduce((sum, { report }) => sum + Number(report?.datapath?.flow_mods_sent ?? 0), 0),
    nodes: nodes.length,
  };
}

/** Members are drained and enabled, one at a time: each time all must stay as it is but for one pool. */
async function flips() {
  const decided = new Map();
  const wake = new Map();
  const watch = cluster.watch(
    ({ events }) => {
      for (const { generation } of events.filter((one) => one.event === 'generation')) {
        const key = `${generation.pool} ${generation.number}`;
        decided.set(key, performance.now());
        wake.get(key)?.();
      }
    },
    (refusal) => {
      trouble = refusal;
    },
  );
  const before = await standing();
  const due = new Map(before.generations);
  const proofs = [];
  const wholes = [];
  try {
    for (let i = 0; i < wanted.flips; i++) {
      const pair = Math.floor(i / 2);
      const pool = `${PREFIX}${pair % wanted.pools}`;
      const request = { pool, member: `m${pair % wanted.members}` };
      const key = `${pool} ${due.get(pool) + 1}`;
      due.set(pool, due.get(pool) + 1);
      const start = performance.now();
      const { revision } = await cluster.write(i % 2 === 0 ? 'DrainMember' : 'EnableMember', request, {
        request_id: randomUUID(),
      });
      await cluster.proven(pool, revision);
      const end = performance.now();
      if (!decided.has(key)) {
        // The proof may be heard before the event that is proven.
        await Promise.race([new Promise((then) => wake.set(key, then)), pause(5_000)]);
      }
      if (!decided.has(key)) {
        throw trouble ?? new Error(`the watch has not told of generation ${key}`);
      }
      proofs.push(Math.max(0, end - decided.get(key)));
      wholes.push(end - start);
    }
  } finally {
    watch.end();
  }
  const after = await standing();
  const others = [...after.generations].filter(([name, generation]) => generation !== (due.get(name) ?? 0)).length;
  const what = `one of ${wanted.members} members flips, ${wanted.pools} pools, n=${wanted.flips}`;
  figures.add(`${what}: decided -> proven by all, p50`, quantile(proofs, 0.5), 'ms');
  figures.add(`${what}: decided -> proven by all, p99`, quantile(proofs, 0.99), 'ms', 1_000);
  figures.add(`${what}: asked -> proven by all, p99`, quantile(wholes, 0.99), 'ms');
  figures.add(`${what}: pools rebuilt without need`, others, 'pools', 0);
  const each = (after.flowMods - before.flowMods) / wanted.flips / after.nodes;
  figures.add(`${what}: flow-mods for each flip and node`, each, 'flows', 256);
}

async function measure(segments) {
  const large = await apply(cluster, siteOf(values, segments, wanted.manyPools, wanted.fewMembers));
  figures.add(`apply ${wanted.manyPools} pools x ${wanted.fewMembers} members`, large, 'ms', 5_000);
  figures.add('until every member takes traffic and every node has proven it', await settled(), 's');
  await listing(wanted.manyPools * wanted.fewMembers);
  await writes();
  await removeAll(cluster, segments[0]?.name);
  const wide = await apply(cluster, siteOf(values, segments, wanted.pools, wanted.members));
  figures.add(`apply ${wanted.pools} pools x ${wanted.members} members`, wide, 'ms');
  await settled();
  await flips();
}

const found = await cluster.list('ListSegments', 'segments').catch((refusal) => {
  console.error(`bench-api: ${values.endpoint}: ${refusal.message}`);
  process.exit(1);
});
const segments = found.some(({ name }) => name === values.segment)
  ? []
  : [{ name: values.segment, prefix: values.prefix }];
const stop = new Promise((_, reject) => {
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => reject(new Error(`stopped by ${signal}`)));
  }
});
try {
  await Promise.race([measure(segments), stop]);
} catch (failure) {
  console.error(`bench-api: ${failure.message}`);
  process.exitCode = 1;
}
try {
  await removeAll(cluster, segments[0]?.name);
} catch (failure) {
  console.error(`bench-api: cannot delete what it made, the objects whose names begin with ${PREFIX}: ${failure.message}`);
  process.exitCode = 1;
}
console.log(figures.table());
process.exit(process.exitCode ?? (figures.met() ? 0 : 1));
