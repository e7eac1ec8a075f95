// What the watch has told of one pool and of what belongs to it, and whether that is what happened.

import { setTimeout as pause } from 'node:timers/promises';

const LOOK_MILLIS = 20;

/** Follows one pool, its members and its listeners in the background. */
export class Witness {
  #told = [];
  #generations = [];
  #index;
  #trouble;
  #watch;

  /** @param pool name of the pool that is followed */
  constructor(cluster, pool) {
    this.#watch = cluster.watch(
      (answer) => this.#take(answer, pool),
      (refusal) => {
        this.#trouble ??= refusal;
      },
    );
  }

  #take(answer, pool) {
    const index = BigInt(answer.index);
    if (this.#index !== undefined && (answer.events.length ? index <= this.#index : index < this.#index)) {
      this.#trouble ??= new Error(`after index ${this.#index} the watch told index ${index}`);
    }
    this.#index = index;
    for (const { event, [event]: what } of answer.events) {
      const object = what?.[event];
      if (event === 'generation' && what.pool === pool) {
        this.#generations.push(Number(what.number));
      } else if (event === 'pool' && object.name === pool) {
        this.#told.push(`pool ${word(what.kind)}`);
      } else if (event === 'member' && object.pool === pool) {
        const state = object.admin.replace('ADMIN_STATE_', '').toLowerCase();
        this.#told.push(`member ${object.name} ${word(what.kind)}: ${state}, weight ${object.weight}`);
      } else if (event === 'listener' && object.pool === pool) {
        this.#told.push(`listener ${object.name} ${word(what.kind)}`);
      }
    }
  }

  /** Waits until the watch has begun: what is done from now on will be told. */
  begun() {
    return this.#until('the first answer of the watch', () => this.#index !== undefined);
  }

  /** Waits until the watch has told of a generation. */
  generation(number) {
    return this.#until(`generation ${number} in the watch`, () => this.#generations.includes(number));
  }

  /** Waits until the watch has told exactly this, in this order, and generations that follow each other without a gap. */
  async told(expected) {
    const heard = () => this.#told.length >= expected.length;
    await this.#until(`${expected.length} events; told so far: ${this.#told.join('; ')}`, heard);
    expected.forEach((event, at) => {
      if (this.#told[at] !== event) {
        throw new Error(`event ${at + 1} of the watch is '${this.#told[at]}', must be '${event}'`);
      }
    });
    if (this.#told.length > expected.length) {
      throw new Error(`the watch told more than was done: ${this.#told.slice(expected.length).join('; ')}`);
    }
    this.#generations.forEach((number, at) => {
      if (number !== this.#generations[0] + at) {
        throw new Error(`the watch told generations ${this.#generations.join(', ')}: not one after the other`);
      }
    });
    return this.#generations.length;
  }

  async #until(what, so) {
    for (const end = Date.now() + 15_000; !so(); await pause(LOOK_MILLIS)) {
      if (this.#trouble) {
        throw this.#trouble;
      }
      if (Date.now() > end) {
        throw new Error(`no ${what} within 15 s`);
      }
    }
    if (this.#trouble) {
      throw this.#trouble;
    }
  }

  end() {
    this.#watch.end();
  }
}

function word(kind) {
  return kind.replace('CHANGE_KIND_', '').toLowerCase();
}
