/** `npm run reelbook -- stream`: checks that the NATS stream matches the ledger, and resets one that does not. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type { Bus, Stored } from '@reelbook/event-store/bus/bus';
import { connectNats } from '@reelbook/event-store/bus/nats';
import { openPool } from '@reelbook/event-store/db';
import { proveEvents } from '@reelbook/event-store/hash-chain';
import { readEpoch } from '@reelbook/event-store/known-head';
import { ForeignStream, findStart } from '@reelbook/publisher/publisher';
import {
  defineCommand,
  EXIT,
  type Exit,
  print,
  printError,
  text,
  UsageError,
} from '@reelbook/runtime/command';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';

const LOG = { info() {}, warn() {} };

export const command = defineCommand({
  usage: {
    '': 'Check that the last event of the NATS stream is in the ledger',
    'reset [--save FILE]': `Delete a stream that does not match the ledger; the publisher starts a new one`,
  },
  about: `The publisher stops if the stream has events that are not in the ledger: the database was restored from a backup, is
another database, or another program publishes to the stream. Players are still served. Uses NATS_URL, and DATABASE_URL or the
standalone in DATA_DIR (.reelbook). Exit code 1: the stream does not match the ledger.`,
  options: {
    save: text(
      'FILE',
      'save the events that are not in the ledger to a new file first, one per line: after a restore\n' +
        'they may be the only copy',
    ),
    epoch: text('N', 'the stream of an earlier epoch, such as 0 after the first restore'),
  },
  takesArguments: true,
  async run({ save: file, epoch: wanted }, [act, ...more]) {
    if (more.length > 0 || (act !== undefined && act !== 'reset')) {
      throw new UsageError('The only argument is reset.');
    }
    if (wanted !== undefined && !/^\d{1,9}$/.test(wanted)) {
      throw new UsageError('--epoch must be a number');
    }
    if (file !== undefined && act !== 'reset') throw new UsageError('--save requires reset.');
    const settings = readSettings();
    const { natsUrl } = settings;
    if (!natsUrl) return printError('There is no NATS: NATS_URL is not set.');
    const url = ledgerUrlOf(settings);
    const pool = openPool({ url, role: 'app', max: 1, name: 'stream', noStatementTimeout: true });
    const epoch = wanted === undefined ? await readEpoch(pool) : Number(wanted);
    const bus = await connectNats({ url: natsUrl, log: LOG, epoch });
    try {
      if (!bus.healthy()) return printError('NATS does not respond.');
      return await examine(pool, bus, act === 'reset', file);
    } finally {
      await bus.close();
      await pool.end();
    }
  },
});

async function examine(pool: pg.Pool, bus: Bus, reset: boolean, file?: string): Promise<Exit> {
  const stored = await bus.lastStored();
  if (!stored) return print('The stream is empty.');
  try {
    await findStart({ pool, bus }, 0);
  } catch (error) {
    if (!(error instanceof ForeignStream)) throw error;
    print(`FOREIGN    ${error.message}`);
    if (!reset) return EXIT.no;
    if (file !== undefined)
      print(`saved      ${await save(pool, bus, stored, file)} events in ${file}`);
    await bus.reset();
    return print('reset      the publisher starts a new stream');
  }
  print(`VALID      the stream ends at position ${stored.position} of the ledger`);
  return reset
    ? printError('The stream matches the ledger; nothing was reset.', EXIT.no)
    : EXIT.done;
}

/** @returns the number of events written. */
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
        // Acknowledges no batch: a foreign one may claim lower positions.
        return false;
      },
    });
    return events;
  } finally {
    closeSync(out);
  }
}
