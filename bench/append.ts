/** Appends of bet commands with all guarantees: compared with plainer ways on the same Postgres, and in a large ledger. */
import { openPool } from '@reelbook/event-store/db';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { migrate } from '@reelbook/event-store/migrate';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { betCommand, registerCommand } from '@reelbook/testing/commands';
import type pg from 'pg';
import { openHandWritten } from './hand-written.ts';
import {
  closedLoop,
  describe,
  figure,
  type Sample,
  type Subject,
  type Summary,
  summarize,
} from './measure.ts';

const IN_FLIGHT = 256;
const HAND_WRITTEN_IN_FLIGHT = [16, 64] as const;
const PLAYERS = 1_000;
const REGISTERED_IN_PARALLEL = 256;
const SMALL = 100_000;
const EVENTS_PER_INSERT = 500_000;
const EVENTS_PER_PLAYER = 200;

interface Options {
  readonly url: string;
  readonly seconds: number;
  readonly rounds: number;
  print(line: string): void;
}

/** `many`: number of players in the large run. */
export async function benchAppend(options: Options & { readonly many: number }): Promise<void> {
  const { print, many, url } = options;
  print(`registering ${figure(PLAYERS + many)} players`);
  const [own, bare] = [await openLedger(url, 'own'), await openLedger(url, 'bare')];
  const players = await register(own.executor, PLAYERS + many);
  const thousand = players.slice(0, PLAYERS);
  const others = await register(bare.executor, PLAYERS);
  await bare.owner.query(BARE);
  const services = [];
  for (const workers of HAND_WRITTEN_IN_FLIGHT) {
    services.push({ workers, ...(await openHandWritten(url, workers, workers)) });
  }
  const results = await inTurn(options, [
    bets(own.executor, thousand, 'reelbook, 1,000 players'),
    bets(own.executor, players.slice(PLAYERS), `reelbook, ${figure(many)} players`),
    bets(own.executor, thousand.slice(0, 1), 'reelbook, one hot player'),
    bets(bare.executor, others, 'bare multi-row INSERT'),
    ...services.map(({ workers, bet }) => ({
      name: 'hand-written',
      workers,
      operate: (worker: number) => bet(worker, 0),
    })),
  ]);
  const rate = (name: string) =>
    Math.max(
      ...[...results].filter(([key]) => key.startsWith(name)).map(([, cell]) => cell.median.rate),
    );
  const base = rate('reelbook, 1,000 ');
  const ratio = (name: string, other: number, goal: string) =>
    print(`ratio ${name.padEnd(52)} ${other.toFixed(2)}   (goal ${goal})`);
  ratio('to the hand-written service, best case', base / rate('hand-written'), '6');
  ratio('to the same batches as a bare multi-row INSERT', base / rate('bare'), '0.65');
  ratio('of many players to 1,000', rate(`reelbook, ${figure(many)} `) / base, '0.8');
  ratio('of one hot player to 1,000', rate('reelbook, one hot') / base, '0.33');
  for (const { close } of [own, bare, ...services]) await close();
}

/** The cost of index size; `large`: events in the large ledger. */
export async function benchSize(options: Options & { readonly large: number }): Promise<void> {
  const [ledgers, subjects]: [Ledger[], Subject[]] = [[], []];
  for (const events of [SMALL, options.large]) {
    const ledger = await openLedger(options.url, `size_${events}`);
    await fill(ledger.owner, events, options.print);
    const wallets = await register(ledger.executor, PLAYERS);
    ledgers.push(ledger);
    subjects.push(bets(ledger.executor, wallets, `ledger of ${figure(events)} events`));
  }
  const results = await inTurn(options, subjects);
  const [small = 0, large = 0] = [...results.values()].map(({ median }) => median.rate);
  const cost = (small / large).toFixed(2);
  options.print(`cost ratio of a command, large to small ledger ${cost}   (goal 1.15)`);
  for (const { close } of ledgers) await close();
}

type Ledger = Awaited<ReturnType<typeof openLedger>>;

/** A migrated database of its own in the same Postgres. */
async function openLedger(url: string, name: string) {
  const admin = openPool({ url, role: 'owner', max: 1, name: 'bench' });
  await admin.query(`create database ${name}`);
  await admin.end();
  const there = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const pool = { url: there, max: 4, name: 'bench' };
  const owner = openPool({ ...pool, role: 'owner', noStatementTimeout: true });
  const app = openPool({ ...pool, role: 'app' });
  await migrate(owner);
  const executor = startExecutor({ pool: app });
  const close = async () => {
    await executor.close();
    await Promise.all([owner.end(), app.end()]);
  };
  return { owner, executor, close };
}

/** Registers players with enough points for the complete run: addresses in the format of wallets, without signatures. */
async function register(executor: CommandExecutor, count: number): Promise<readonly string[]> {
  const run = Date.now();
  const wallets = Array.from({ length: count }, (_, index) =>
    `${run}x${index}`.replaceAll('0', 'z').padStart(43, 'A'),
  );
  for (let at = 0; at < count; at += REGISTERED_IN_PARALLEL) {
    const some = wallets.slice(at, at + REGISTERED_IN_PARALLEL).map((wallet) => {
      const seeds = { activeHash: 'a'.repeat(64), nextHash: 'b'.repeat(64) };
      const terms = { publicId: wallet.slice(-10), welcomePointsMinor: 100_000n, ...seeds };
      return execute(executor, wallet, 'login', () => registerCommand(wallet, terms));
    });
    await Promise.all(some);
  }
  return wallets;
}

let made = 0;

/**
 * Bets of one point that return their stake, with every guard and decision, and draws without cost. One wallet after the
 * other, so that none has two bets in flight.
 */
function bets(executor: CommandExecutor, wallets: readonly string[], name: string): Subject {
  const draw = () => ({ outcome: { symbols: [4, 2, 4] }, payoutMinor: 100n });
  const bet = { game: 'slot-machine', rules: 'slot-1', stakeMinor: 100n, draw, bigWinMultiple: 4 };
  return {
    name,
    workers: IN_FLIGHT,
    operate: () => {
      const wallet = wallets[made++ % wallets.length] ?? '';
      return execute(executor, wallet, `command:${made}`, (state) => betCommand(state, bet));
    },
  };
}

async function execute(
  executor: CommandExecutor,
  wallet: string,
  key: string,
  commandOf: (state: PlayerState) => PlayerCommand,
): Promise<void> {
  const { kind } = await executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: `${playerStream(wallet)}:${key}`,
    request: { bet_amount: 1, lines: 25 },
    meta: { correlation: '3f0c1d2e4b5a69788796a5b4', actor: `player:${wallet}` },
    prepare: async (state) => ({ command: commandOf(state), configVersion: null }),
  });
  if (kind !== 'done') throw new Error(`a command returned ${kind}`);
}

/** Runs all subjects once, then all again, so that drift of the machine affects all of them. */
async function inTurn(
  { url, rounds, seconds, print }: Options,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, Summary>> {
  const owner = openPool({ url, role: 'owner', max: 1, name: 'bench' });
  const samples = new Map<string, Sample[]>();
  for (let round = 1; round <= rounds; round++) {
    for (const subject of subjects) {
      await owner.query('checkpoint');
      const sample = await closedLoop(subject, seconds);
      const key = `${subject.name} at ${subject.workers}`;
      samples.set(key, [...(samples.get(key) ?? []), sample]);
      print(`round ${round}: ${key}: ${figure(sample.rate)}/s`);
    }
  }
  await owner.end();
  const results = new Map([...samples].map(([key, some]) => [key, summarize(some)]));
  for (const [key, cell] of results) print(`${key.padEnd(40)} ${describe(cell)}`);
  return results;
}

/** Writes `events` events of players who do not play again, and one idempotency key per two events. */
async function fill(owner: pg.Pool, events: number, print: (line: string) => void): Promise<void> {
  for (let from = 1; from <= events; from += EVENTS_PER_INSERT) {
    const to = Math.min(events, from + EVENTS_PER_INSERT - 1);
    await owner.query(EVENTS, [from, to, Math.ceil(events / EVENTS_PER_PLAYER)]);
    print(`wrote ${figure(to)} of ${figure(events)} events`);
  }
  await owner.query(KEYS);
  await owner.query('update ledger_head set position = $1, recorded_at = now()', [events]);
  // As in a ledger that grew: its events are never vacuumed.
  await owner.query('vacuum analyze idempotency_keys');
  await owner.query('analyze events');
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

/**
 * The upper bound of this schema: the same bets take the same path (decided, serialized, batched, sent), but `append` is a
 * bare multi-row INSERT of their events: no idempotency key, version check, hash chain or current state.
 */
const BARE = `
  create sequence bare_position start 1000000000;
  create or replace function append(
    command_keys uuid[], request_hashes bytea[], stream_keys uuid[], stream_names text[],
    expected_versions bigint[], event_counts int[], config_versions bigint[], margin_deltas numeric[],
    must_cover boolean[], new_states text[], state_schemas int[], event_types text[], body_tails text[],
    process_ms bigint
  ) returns table (status text, at_position bigint, at_version bigint, at_time timestamptz)
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
  begin
    insert into events (position, first_position, stream, version, type, body, hash, recorded_at)
      select nextval('bare_position'), 0, stream_keys[(n + 1) / 2],
        expected_versions[(n + 1) / 2] + 1 + (n - 1) % 2, type,
        ('{"position":100000,"stream":"player-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA","version":'
          || '100,"type":"BetPlaced","time":"2026-01-01T00:00:00.000Z",' || tail)::json,
        decode(repeat('07', 32), 'hex'), now()
      from unnest(event_types, body_tails) with ordinality as e(type, tail, n);
    return query select 'appended', i::bigint, expected_versions[i] + event_counts[i], now()
      from generate_series(1, cardinality(command_keys)) as g(i);
  end $$`;
