// The arguments that the programs of this folder have in common.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export const USAGE = 64;

const CONNECTION = {
  endpoint: { type: 'string', default: '127.0.0.1:7400' },
  ca: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  'token-file': { type: 'string' },
};

const CONNECTION_USAGE = '--endpoint HOST:PORT [--ca FILE [--cert FILE --key FILE]] [--token-file FILE]';

/**
 * Returns the values of a program's arguments by name; of files, what is in them. What is wrong is said, and ends the program.
 *
 * @param {string} program name, for messages
 * @param {object} options of this program beside those of the connection, as parseArgs wants them
 * @param {string} usage of these options
 */
export function argumentsOf(program, options, usage) {
  try {
    const { values } = parseArgs({ options: { ...CONNECTION, ...options } });
    if (!/^.+:\d{1,5}$/.test(values.endpoint)) {
      throw new Error(`endpoint is '${values.endpoint}', must be HOST:PORT`);
    }
    if ((values.cert === undefined) !== (values.key === undefined)) {
      throw new Error('--cert and --key belong together');
    }
    if (values.cert !== undefined && values.ca === undefined) {
      throw new Error('--cert needs --ca: a certificate is shown only to a server that is known');
    }
    for (const file of ['ca', 'cert', 'key', 'token-file']) {
      if (values[file] !== undefined) {
        values[file] = readFileSync(values[file]);
      }
    }
    return values;
  } catch (wrong) {
    console.error(`${program}: ${wrong.message}`);
    console.error(`usage: ${program} ${CONNECTION_USAGE} ${usage}`);
    process.exit(USAGE);
  }
}

/** Returns a whole number within a range. @throws what is wrong with it, naming option, value and range */
export function number(values, option, least, most) {
  const value = Number(values[option]);
  if (!Number.isInteger(value) || value < least || value > most) {
    throw new Error(`${option} is '${values[option]}', must be ${least}..${most}`);
  }
  return value;
}
