/** `npm run stream`: whether the stream of NATS is this ledger's, and what an operator may do when it is not. */
import { closeSync, openSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Bus, Stored } from '@reelbook/bus/bus';
import { connectNats } from '@reelbook/bus/nats';
import { proveEvents } from '@reelbook/event-store/chain';
import { openPool } from '@reelbook/event-store/db';
import { complain, EXIT, type Exit, refusalOf, runCommand, say } from '@reelbook/runtime/command';
import { findDatabaseUrl, findNatsUrl } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ForeignStream, findStart } from './start.ts';

const HELP = `npm run stream -- [reset [--save file]]

Shows where the stream of NATS ends, and whether the ledger has that event. One that it does not have stops the publisher:
the database was restored from a backup, or is another one, or somebody else publishes. Players are served all the same.

  reset          deletes such a stream; the publisher begins a new one by itself. Refused for a stream of this ledger
  --save file    before that writes the events that the ledger does not have to a new file, one a line: after a restore
                 they may be the only copy of what happened after the backup

Finds the standalone that runs in DATA_DIR (.reelbook), or DATABASE_URL and NATS_URL.
Exit code 0: the stream is this ledger's, or was reset. 1: it is not. 2: it could not be done.`;

const LOG = { info() {}, warn() {} };

async function main(): Promise<Exit> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { save: { type: 'string' }, help: { type: 'boolean', short: 'h', default: false } },
  });
  if (values.help) return say(HELP);
  const [act, ...more] = positionals;
  if (more.length > 0 || (act !== undefined && act !== 'reset')) return complain(HELP);
  if (values.save !== undefined && act !== 'reset') return complain('--save goes with reset.');
  const settings = readSettings();
  const [url, natsUrl] = [findDatabaseUrl(settings), findNatsUrl(settings)];
  if (!url) return complain('No ledger: DATABASE_URL is not set and nothing ever ran here.');
  if (!natsUrl)
    return complain('No NATS: NATS_URL is not set and no standalone with one runs here.');
  const pool = openPool({ url, role: 'app', max: 1, name: 'stream', unhurried: true });
  const bus = await connectNats({ url: natsUrl, log: LOG });
  try {
    if (!bus.healthy()) return complain('NATS does not answer.');
    return await examine(pool, bus, act === 'reset', values.save);
  } finally {
    await bus.close();
    await pool.end();
  }
}

async function examine(pool: pg.Pool, bus: Bus, reset: boolean, file?: string): Promise<Exit> {
  const stored = await bus.lastStored();
  if (!stored) return say('The stream is empty.');
  try {
    await findStart({ pool, bus }, 0);
  } catch (error) {
    if (!(error instanceof ForeignStream)) throw error;
    say(`FOREIGN    ${error.message}`);
    if (!reset) return EXIT.no;
    if (file !== undefined)
      say(`saved      ${await save(pool, bus, stored, file)} events in ${file}`);
    await bus.reset();
    return say('reset      the publisher begins a new stream');
  }
  say(`HOLDS      the stream ends at position ${stored.position}, as the ledger has it`);
  return reset ? complain('A stream of this ledger is not reset.', EXIT.no) : EXIT.done;
}

/** @returns how many events were written. */
async function save(pool: pg.Pool, bus: Bus, last: Stored, file: string): Promise<number> {
  const out = openSync(file, 'wx', 0o600);
  const end = new AbortController();
  let events = 0;
  try {
    await bus.consume({
      name: 'save',
      from: 1,
      signal: end.signal,
      async onBatch(batch) {
        if (batch.hash === last.hash) end.abort();
        const [proven] = await proveEvents(pool, [batch]);
        if (!proven) {
          for (const text of batch.texts()) {
            writeSync(out, `${text}\n`);
            events++;
          }
        }
        // None counts as taken: a foreign one may claim positions that come before.
        return false;
      },
    });
    return events;
  } finally {
    closeSync(out);
  }
}

await runCommand(main, refusalOf);
