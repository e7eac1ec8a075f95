// A connection to one node of a cluster, made of nothing but the .proto files.

import grpc from '@grpc/grpc-js';
import loader from '@grpc/proto-loader';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { setTimeout as pause } from 'node:timers/promises';

const PROTO = fileURLToPath(new URL('../../proto/src/main/proto', import.meta.url));
const ANSWER_BYTES_MAX = 64 << 20;
const CALL_MILLIS = 10_000;
const WRITE_MILLIS = 30_000;
const PAUSE_MILLIS = 200;
// A node says something every ten seconds, so a stream that is silent for longer than this is dead.
const SILENCE_MILLIS = 25_000;
const STREAM_MILLIS = 600_000;
const PAGE_SIZE = 5_000;
const IN_DOUBT = [grpc.status.UNAVAILABLE, grpc.status.UNKNOWN, grpc.status.DEADLINE_EXCEEDED];

export const { status } = grpc;

const schema = grpc.loadPackageDefinition(
  loader.loadSync('quorumlb/v1/control.proto', {
    includeDirs: [PROTO],
    keepCase: true,
    longs: String,
    enums: String,
    defaults: true,
    oneofs: true,
  }),
);

function credentialsOf({ ca, cert, key }) {
  return ca === undefined
    ? grpc.credentials.createInsecure()
    : grpc.credentials.createSsl(ca, key, cert);
}

/** One node's API. Every call has a deadline, every write a request id. */
export class Cluster {
  #service;
  #metadata = new grpc.Metadata();

  /** @param values endpoint and credentials, as argumentsOf returns them */
  constructor(values) {
    // Each has a connection of its own, even if several go to one node.
    this.#service = new schema.quorumlb.v1.ControlService(values.endpoint, credentialsOf(values), {
      'grpc.max_receive_message_length': ANSWER_BYTES_MAX,
      'grpc.use_local_subchannel_pool': 1,
    });
    if (values['token-file'] !== undefined) {
      this.#metadata.set('authorization', `Bearer ${values['token-file'].toString('utf8').trim()}`);
    }
  }

  /** Makes one call and resolves to its answer; rejects with the refusal, whose code is one of `status`. */
  call(method, request = {}, millis = CALL_MILLIS) {
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + millis };
      this.#service[method](request, this.#metadata, options, (refusal, answer) => {
        if (refusal) {
          reject(refusal);
        } else {
          resolve(answer);
        }
      });
    });
  }

  /** Makes the calls that list everything, page by page, and resolves to what is in the named field of all of them. */
  async list(method, field, request = {}) {
    const all = [];
    let page_token = '';
    do {
      const answer = await this.call(method, { ...request, page_size: PAGE_SIZE, page_token });
      all.push(...answer[field]);
      page_token = answer.next_page_token ?? '';
    } while (page_token !== '');
    return all;
  }

  /**
   * Makes one write. While it is in doubt, it is asked again under the id it has: the cluster does it once.
   *
   * @param options request_id, if the write shall have a certain one, and expected_revision
   * @param millis time for one answer
   */
  async write(method, request, options = {}, millis = CALL_MILLIS) {
    const asked = { ...request, options: { request_id: randomUUID(), ...options } };
    const end = Date.now() + WRITE_MILLIS;
    for (;;) {
      try {
        return await this.call(method, asked, millis);
      } catch (refusal) {
        if (!IN_DOUBT.includes(refusal.code) || Date.now() > end) {
          throw refusal;
        }
        await pause(PAUSE_MILLIS);
      }
    }
  }

  /** Waits until the node itself answers with this revision of the configuration, or a later one. */
  async reached(revision, millis = 60_000) {
    for (const end = Date.now() + millis; ; await pause(PAUSE_MILLIS)) {
      const { revision: present } = await this.call('ListSegments');
      if (BigInt(present) >= BigInt(revision)) {
        return;
      }
      if (Date.now() > end) {
        throw new Error(`the node is at revision ${present} after ${millis} ms, ${revision} is committed`);
      }
    }
  }

  /** Waits until every reachable node has proven a generation of the pool that reflects the revision; returns its number. */
  async proven(pool, revision, millis = 30_000) {
    const proof = await this.call('WaitForGeneration', { pool, revision, timeout_millis: millis }, millis + 2_000);
    if (!proof.proven) {
      const why = proof.missing.map(({ node, reason }) => `${node} (${reason})`).join(', ');
      throw new Error(`revision ${revision} of pool ${pool} is not proven after ${millis} ms: ${why || 'nobody has it'}`);
    }
    return Number(proof.generation);
  }

  /**
   * Follows what the cluster commits, from now on, and goes on after the last answer when the stream breaks.
   *
   * @param take called with each answer, the first and the empty ones too
   * @param fail called with a refusal that going on cannot mend
   * @returns end() ends it, breaks() says how often the stream broke
   */
  watch(take, fail) {
    let call;
    let silence;
    let ended = false;
    let breaks = 0;
    let after;
    const follow = () => {
      const request = after === undefined ? {} : { after_index: after };
      call = this.#service.Watch(request, this.#metadata, { deadline: Date.now() + STREAM_MILLIS });
      const hear = () => {
        clearTimeout(silence);
        silence = setTimeout(() => call.cancel(), SILENCE_MILLIS);
      };
      hear();
      call.on('data', (answer) => {
        hear();
        after = answer.index;
        take(answer);
      });
      call.on('error', (refusal) => {
        clearTimeout(silence);
        if (ended) {
          return;
        }
        breaks++;
        if (IN_DOUBT.includes(refusal.code) || refusal.code === status.CANCELLED) {
          setTimeout(() => ended || follow(), PAUSE_MILLIS);
        } else {
          fail(refusal);
        }
      });
    };
    follow();
    return {
      breaks: () => breaks,
      end: () => {
        ended = true;
        clearTimeout(silence);
        call.cancel();
      },
    };
  }

  close() {
    this.#service.close();
  }
}
