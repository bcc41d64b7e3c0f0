/** Appends of bet commands to a large ledger, in turn with a small one: the cost of index size. */
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { migrate } from '@reelbook/event-store/migrate';
import { type Cell, inTurn } from './append.ts';
import { insertEvents } from './explorer-seed.ts';
import { describe } from './measure.ts';
import { ours } from './ours.ts';
import { makeWallets, registerAll } from './players.ts';

const IN_FLIGHT = 256;
const SMALL = 100_000;
const PLAYERS = 1_000;

export interface SizeOptions {
  readonly url: string;
  readonly seconds: number;
  readonly rounds: number;
  /** Events in the large ledger. */
  readonly large: number;
  print(line: string): void;
}

export async function benchSize(options: SizeOptions): Promise<void> {
  const owner = openPool({
    url: options.url,
    role: 'owner',
    max: 1,
    name: 'bench',
    noStatementTimeout: true,
  });
  const ledgers = [];
  for (const events of [SMALL, options.large]) {
    const database = `size_${events}`;
    await owner.query(`create database ${database}`);
    const url = Object.assign(new URL(options.url), { pathname: `/${database}` }).href;
    ledgers.push(await openLedger(url, events, options.print));
  }
  const cells = ledgers.map(
    ({ subject }): Cell => ({
      workers: IN_FLIGHT,
      open: async () => ({ ...subject, close: async () => {} }),
    }),
  );
  const results = [...(await inTurn(owner, cells, options))];
  options.print('');
  for (const [key, cell] of results) options.print(`${key.padEnd(40)} ${describe(cell)}`);
  const [small, large] = results.map(([, { median }]) => median.rate);
  if (small && large) {
    options.print(
      `cost ratio of a command, large to small ledger ${(small / large).toFixed(2)}   (goal 1.15)`,
    );
  }
  for (const { close } of ledgers) await close();
  await owner.end();
}

/** A ledger with `events` events of players who do not play again, and one idempotency key per two events. */
async function openLedger(url: string, events: number, print: (line: string) => void) {
  const owner = openPool({ url, role: 'owner', max: 1, name: 'bench', noStatementTimeout: true });
  await migrate(owner);
  await insertEvents(owner, events, print);
  await owner.query(KEYS);
  await owner.query('update ledger_head set position = $1, recorded_at = now()', [events]);
  // As in a ledger that grew: its events are never vacuumed.
  await owner.query('vacuum analyze idempotency_keys');
  await owner.query('analyze events');
  await owner.end();
  const app = openPool({ url, role: 'app', max: 4, name: 'bench' });
  const executor = startExecutor({ pool: app });
  const wallets = makeWallets(PLAYERS, `${Date.now()}s`);
  await registerAll(executor, wallets);
  return {
    subject: ours(executor, wallets, `ledger of ${events.toLocaleString('en-US')} events`),
    async close() {
      await executor.close();
      await app.end();
    },
  };
}

/** In the format of `hashKey`: 4 bytes of the stream, the rest random. */
const KEYS = `
  insert into idempotency_keys (key, request_hash, position)
  select (left(replace(stream::text, '-', ''), 8) || right(md5(position::text), 24))::uuid, decode(repeat('00', 32), 'hex'), position
  from events where position % 2 = 1`;
