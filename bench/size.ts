/** Appends of bet commands to a large ledger, in turn with a small one: the cost of index size. */
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { migrate } from '@reelbook/event-store/migrate';
import { type Cell, inTurn } from './append.ts';
import { describe } from './measure.ts';
import { ours } from './ours.ts';
import { makeWallets, registerAll } from './players.ts';

const IN_FLIGHT = 256;
const SMALL = 100_000;
const PLAYERS = 1_000;
const EVENTS_PER_INSERT = 500_000;
const EVENTS_PER_PLAYER = 200;

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
  for (let from = 1; from <= events; from += EVENTS_PER_INSERT) {
    const to = Math.min(events, from + EVENTS_PER_INSERT - 1);
    await owner.query(EVENTS, [from, to, Math.ceil(events / EVENTS_PER_PLAYER)]);
    print(`wrote ${to.toLocaleString('en-US')} of ${events.toLocaleString('en-US')} events`);
  }
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

/** Bets and their settlements as large as those of a slot machine, not decided and not in the chain. */
const EVENTS = `
  insert into events (position, first_position, stream, version, type, body, hash, recorded_at)
  select i, i, stream_key(stream), i, type, json_build_object(
      'position', i, 'stream', stream, 'version', i, 'type', type, 'time', at,
      'data', json_build_object('round', 'id-' || i, 'game', 'slot-machine', 'stakeMinor', '100',
        'lines', 25, 'rules', 'slot-1', 'pair', 1, 'nonce', i,
        'after', json_build_object('pointsMinor', '100000', 'tokenMinor', '1000000000')),
      'meta', json_build_object('command', lpad(to_hex(i), 32, '0'),
        'correlation', 'request ' || i, 'actor', replace(stream, '-', ':'))),
    int8send(hashint8extended(i, 7)) || decode(repeat('ab', 24), 'hex'), at
  from (
    select i, case i % 2 when 1 then 'BetPlaced' else 'BetLost' end as type,
      'player-' || repeat('p', 32)
        || replace((hashint8(i / 2) & 2147483647) % $3::bigint + 1 || '', '0', 'z') as stream,
      '2026-01-01T00:00:00Z'::timestamptz + i * interval '20 milliseconds' as at
    from generate_series($1::bigint, $2::bigint) as g(i)) as made`;

/** In the format of `hashKey`: 4 bytes of the stream, the rest random. */
const KEYS = `
  insert into idempotency_keys (key, request_hash, position)
  select (left(replace(stream::text, '-', ''), 8) || right(md5(position::text), 24))::uuid, decode(repeat('00', 32), 'hex'), position
  from events where position % 2 = 1`;
