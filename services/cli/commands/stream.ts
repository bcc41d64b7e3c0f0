/** `npm run reelbook -- stream`: whether the stream of NATS is this ledger's, and what an operator may do when it is not. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Bus, Stored } from '@reelbook/event-store/bus/bus';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { proveEvents } from '@reelbook/event-store/chain';
import { openPool } from '@reelbook/event-store/db';
import { ForeignStream, findStart } from '@reelbook/publisher/start';
import { complain, EXIT, type Exit, say } from '@reelbook/runtime/command';
import { defineCommand, text, UsageError } from '@reelbook/runtime/command-line';
import { findNatsUrl } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';

const LOG = { info() {}, warn() {} };

export const command = defineCommand({
  usage: {
    '': 'where the stream of NATS ends, and whether the ledger has that event',
    'reset [--save FILE]': `deletes one that the ledger does not have; the publisher begins a new one by itself.
Refused for a stream of this ledger`,
  },
  about: `A stream that the ledger does not have stops the publisher: the database was restored from a backup, or is another one, or
somebody else publishes. Players are served all the same. Finds the standalone that runs in DATA_DIR (.reelbook), or DATABASE_URL
and NATS_URL. Exit code 1: the stream is not this ledger's.`,
  options: {
    save: text(
      'FILE',
      'first writes the events that the ledger does not have to a new file, one a line: after a restore\n' +
        'they may be the only copy of what happened after the backup',
    ),
  },
  takesArguments: true,
  async run({ save: file }, [act, ...more]) {
    if (more.length > 0 || (act !== undefined && act !== 'reset')) {
      throw new UsageError('Only reset is known.');
    }
    if (file !== undefined && act !== 'reset') throw new UsageError('--save goes with reset.');
    const settings = readSettings();
    const [url, natsUrl] = [ledgerUrlOf(settings), findNatsUrl(settings)];
    if (!natsUrl) {
      return complain('No NATS: NATS_URL is not set and no standalone with one runs here.');
    }
    const pool = openPool({ url, role: 'app', max: 1, name: 'stream', noStatementTimeout: true });
    const bus = await connectNats({ url: natsUrl, log: LOG });
    try {
      if (!bus.healthy()) return complain('NATS does not answer.');
      return await examine(pool, bus, act === 'reset', file);
    } finally {
      await bus.close();
      await pool.end();
    }
  },
});

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
