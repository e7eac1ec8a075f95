#!/usr/bin/env node
// Drives a cluster through what an orchestrator does to a service: makes it, takes a member out for a "deploy", brings it
// back, changes a weight and takes that back, and deletes it. A watch follows throughout; in the end it must have told it
// all, in order. Exits with 1 and names the step that failed; then, too, nothing is left behind.

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { argumentsOf } from './arguments.js';
import { Cluster, status } from './cluster.js';
import { Witness } from './witness.js';

// The defaults are those of the test bed: two of its members, on a port of theirs that no other pool uses.
const values = argumentsOf(
  'orchestrate',
  {
    pool: { type: 'string', default: 'orchestrated' },
    vip: { type: 'string', default: '10.99.0.40:80' },
    segment: { type: 'string', default: 'p2' },
    prefix: { type: 'string', default: '10.20.0.0/24' },
    member: { type: 'string', multiple: true, default: ['10.20.0.2:8090', '10.20.0.3:8090'] },
    // Before the drain, while drained, and before all is deleted.
    'pause-seconds': { type: 'string', default: '0' },
    patience: { type: 'string', default: '30' },
  },
  '[--pool NAME] [--vip ADDRESS:PORT] [--segment NAME --prefix NETWORK] [--member ADDRESS:PORT]... [--pause-seconds N] [--patience SECONDS]',
);
const pool = values.pool;
const patience = Number(values.patience) * 1_000;
const drained = { pool, member: 'm1' };
const cluster = new Cluster(values);
const expected = [];
let current = 'begin';
// Before that, what has these names is somebody else's.
let begun = false;

function say(text) {
  console.log(`${new Date().toISOString()} ${text}`);
}

/** Takes a step: what fails in it is told under its name. */
async function step(name, action) {
  current = name;
  const start = Date.now();
  const result = await action();
  say(`${name}${result === undefined ? '' : `: ${result}`} (${Date.now() - start} ms)`);
}

function must(so, complaint) {
  if (!so) {
    throw new Error(complaint);
  }
}

/** Makes a write that the watch is to tell of, and waits until all nodes have proven what follows from it. */
async function change(method, request, event, options) {
  expected.push(event);
  const { revision } = await cluster.write(method, request, options);
  const generation = await cluster.proven(pool, revision, patience);
  await witness.generation(generation);
  return { revision, generation };
}

async function memberStatus(name) {
  const members = await cluster.list('ListMembers', 'members', { pool });
  return members.find(({ member }) => member.name === name);
}

async function digest() {
  return (await cluster.call('GetPoolSlots', { pool })).expected_digest;
}

const enabled = (name, weight) => `member ${name} changed: enabled, weight ${weight}`;

function site(segmentIsThere) {
  const [vip, port] = [values.vip.slice(0, values.vip.lastIndexOf(':')), Number(values.vip.split(':').at(-1))];
  return {
    segments: segmentIsThere ? [] : [{ name: values.segment, prefix: values.prefix }],
    pools: [
      {
        name: pool,
        slots: 256,
        monitor: {
          type: 'MONITOR_TYPE_HTTP',
          path: '/health',
          interval_millis: 500,
          timeout_millis: 250,
          rise: 1,
          fall: 2,
        },
      },
    ],
    members: values.member.map((address, at) => ({
      name: `m${at + 1}`,
      pool,
      segment: values.segment,
      address,
      weight: 100,
      admin: 'ADMIN_STATE_ENABLED',
    })),
    listeners: [{ name: pool, vip, port, protocol: 'PROTOCOL_TCP', pool }],
  };
}

/** Undoes what there is of it, the last first. */
async function removeAll(segmentIsThere) {
  const wanted = [['DeleteListener', { name: pool }]];
  values.member.forEach((_, at) => wanted.push(['DeleteMember', { pool, member: `m${at + 1}` }]));
  wanted.push(['DeletePool', { name: pool }]);
  if (!segmentIsThere) {
    wanted.push(['DeleteSegment', { name: values.segment }]);
  }
  for (const [method, request] of wanted) {
    await cluster.write(method, request).catch((refusal) => {
      if (refusal.code !== status.NOT_FOUND) {
        throw refusal;
      }
    });
  }
}

async function orchestrate(segmentIsThere) {
  let whole;
  let before;
  const drain = randomUUID();
  let draining;

  await step('ask what would be made', async () => {
    const { changes } = await cluster.call('Apply', { site: site(segmentIsThere), dry_run: true });
    must(changes.every(({ verb }) => verb === 'CHANGE_VERB_CREATE'), `something is there: ${JSON.stringify(changes)}`);
    whole = changes.length;
    return `${whole} objects`;
  });

  await step('make it at once', async () => {
    begun = true;
    expected.push('pool created');
    values.member.forEach((_, at) => expected.push(`member m${at + 1} created: enabled, weight 100`));
    expected.push(`listener ${pool} created`);
    const { revision, changes } = await cluster.write('Apply', { site: site(segmentIsThere) });
    must(changes.length === whole, `${changes.length} objects were made, ${whole} were announced`);
    return `revision ${revision}, proven as generation ${await cluster.proven(pool, revision, patience)}`;
  });

  await step('wait until all members take traffic', async () => {
    for (const end = Date.now() + patience; ; await pause(100)) {
      const members = await cluster.list('ListMembers', 'members', { pool });
      if (members.every(({ slots }) => slots > 0)) {
        break;
      }
      must(Date.now() < end, `after ${values.patience} s: ${JSON.stringify(members)}`);
    }
    await witness.generation(await cluster.proven(pool, 0, patience));
    before = await digest();
    return `digest ${before.slice(0, 16)}`;
  });

  await step('serve', () => pause(Number(values['pause-seconds']) * 1_000));

  await step('drain m1', async () => {
    draining = await change('DrainMember', drained, 'member m1 changed: drained, weight 100', { request_id: drain });
    const { slots } = await memberStatus('m1');
    must(slots === 0, `m1 still has ${slots} slots`);
    return `proven as generation ${draining.generation}, no slot is left`;
  });

  await step('deploy', () => pause(Number(values['pause-seconds']) * 1_000));

  await step('enable m1', async () => {
    const { generation } = await change('EnableMember', drained, enabled('m1', 100));
    must((await digest()) === before, 'the table is another one than before the drain');
    return `proven as generation ${generation}, the table is the one of before`;
  });

  await step('ask for the drain again under its id', async () => {
    const { revision } = await cluster.write('DrainMember', drained, { request_id: drain });
    must(revision === draining.revision, `answered revision ${revision}, must be that of then, ${draining.revision}`);
    const { member } = await memberStatus('m1');
    must(member.admin === 'ADMIN_STATE_ENABLED', `it was done twice: m1 is ${member.admin}`);
    return `answered as then, revision ${revision}; m1 is enabled still`;
  });

  await step('change a weight on a wrong assumption', async () => {
    const wrong = { expected_revision: draining.revision };
    const refusal = await cluster.write('SetMemberWeight', { ...drained, weight: 50 }, wrong).then(
      () => undefined,
      (told) => told,
    );
    must(refusal?.code === status.ABORTED, `must be refused with ABORTED, is ${refusal ?? 'done'}`);
    return refusal.details;
  });

  await step('change the weight of m1', async () => {
    const { revision } = await cluster.call('Export');
    const { generation } = await change('SetMemberWeight', { ...drained, weight: 50 }, enabled('m1', 50), {
      expected_revision: revision,
    });
    must((await digest()) !== before, 'the table is the same');
    return `proven as generation ${generation}`;
  });

  await step('take it back', async () => {
    const { generation } = await change('SetMemberWeight', { ...drained, weight: 100 }, enabled('m1', 100));
    must((await digest()) === before, 'the table is another one than before');
    return `proven as generation ${generation}, the table is the one of before`;
  });

  await step('serve on', () => pause(Number(values['pause-seconds']) * 1_000));
}

const segments = await cluster.list('ListSegments', 'segments').catch((refusal) => {
  console.error(`orchestrate: ${values.endpoint}: ${refusal.message}`);
  process.exit(1);
});
const segmentIsThere = segments.some(({ name }) => name === values.segment);
const witness = new Witness(cluster, pool);
let failed;
try {
  await step('watch', () => witness.begun());
  await orchestrate(segmentIsThere);
} catch (trouble) {
  failed = `step '${current}' failed: ${trouble.message}`;
}
try {
  if (begun) {
    await step('delete it all', () => removeAll(segmentIsThere));
  }
  if (!failed) {
    expected.push(`listener ${pool} deleted`);
    values.member.forEach((_, at) => expected.push(`member m${at + 1} deleted: enabled, weight 100`));
    expected.push('pool deleted');
    await step('look at what the watch has told', async () => {
      const generations = await witness.told(expected);
      return `${expected.length} events and ${generations} generations, in order`;
    });
  }
} catch (trouble) {
  failed ??= `step '${current}' failed: ${trouble.message}`;
}
witness.end();
cluster.close();
if (failed) {
  console.error(`orchestrate: ${failed}`);
  process.exitCode = 1;
} else {
  say('done');
}
