// The many pools of the load measurement, and how they go away again.

import { setTimeout as pause } from 'node:timers/promises';
import { status } from './cluster.js';

/** All that is made here has such a name. */
export const PREFIX = 'bench-';

const FIRST_PORT = 10_000;
const APPLY_MILLIS = 60_000;
const TRIES = 60;
const PAUSE_MILLIS = 500;

/**
 * Returns a site of pools with members that are spread over the hosts, each on a port of its own. No port is served:
 * one that all hosts have is probed instead, seldom, so that it is the control plane that is measured.
 *
 * @param values what was asked for: segment, host (several), probe-port
 * @param segments segments to create with them
 */
export function siteOf(values, segments, pools, membersOfEach) {
  const site = { segments, pools: [], members: [], listeners: [] };
  for (let pool = 0; pool < pools; pool++) {
    const name = `${PREFIX}${pool}`;
    site.pools.push({
      name,
      slots: 256,
      monitor: {
        type: 'MONITOR_TYPE_TCP',
        port: Number(values['probe-port']),
        interval_millis: 120_000,
        timeout_millis: 5_000,
        rise: 1,
        fall: 10,
      },
    });
    for (let member = 0; member < membersOfEach; member++) {
      const number = pool * membersOfEach + member;
      const host = values.host[number % values.host.length];
      site.members.push({
        name: `m${member}`,
        pool: name,
        segment: values.segment,
        address: `${host}:${FIRST_PORT + Math.floor(number / values.host.length)}`,
        weight: 100,
        admin: 'ADMIN_STATE_ENABLED',
      });
    }
  }
  return site;
}

/** Applies a site as one change; resolves to the milliseconds until the answer. */
export async function apply(cluster, site) {
  const start = performance.now();
  const { revision } = await cluster.write('Apply', { site }, {}, APPLY_MILLIS);
  const millis = performance.now() - start;
  // A node answers once the write is committed, and may be late itself after so large a one.
  await cluster.reached(revision);
  return millis;
}

/** Deletes all pools of the measurement with their members, and a segment if it was made for it. */
export async function removeAll(cluster, segment) {
  for (let tries = 1; ; tries++) {
    const { site, revision } = await cluster.call('Export', {}, APPLY_MILLIS);
    const ours = ({ name }) => name.startsWith(PREFIX);
    site.pools = site.pools.filter((pool) => !ours(pool));
    site.members = site.members.filter(({ pool }) => !pool.startsWith(PREFIX));
    site.segments = site.segments.filter(({ name }) => name !== segment);
    try {
      // What is not in it is deleted: only if it is the configuration of now, less what is ours.
      const less = await cluster.write('Apply', { site, prune: true }, { expected_revision: revision }, APPLY_MILLIS);
      await cluster.reached(less.revision);
      return;
    } catch (refusal) {
      if (refusal.code !== status.ABORTED || tries === TRIES) {
        throw refusal;
      }
      await pause(PAUSE_MILLIS);
    }
  }
}
