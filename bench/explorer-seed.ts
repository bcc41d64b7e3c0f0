import { explorer } from '@reelbook/projections/explorer/projection';
import { postings } from '@reelbook/projections/postings/projection';
import type { Projection } from '@reelbook/projections/projection';
import { LIVE_SCHEMA, withoutIndexes } from '@reelbook/projections/run';
import type pg from 'pg';

/** Every so many-th event stands in the book and has a claim, for what is found by hash or by command. */
export const SAMPLE_EVERY = 10_000;
const EVENTS_PER_PLAYER = 200;
const EVENTS_PER_INSERT = 500_000;

export interface Seeded {
  readonly events: number;
  readonly players: number;
}

/**
 * Fills the tables of explorer and postings by SQL, as a book of bets would: pairs of events, 97 of 100 pairs a stake
 * and its settlement, players of very different diligence. No event is decided or sealed; only a sample stands in the
 * book. Indexes are built afterwards, as a rebuild does.
 */
export async function seedExplorer(
  owner: pg.Pool,
  events: number,
  say: (line: string) => void,
): Promise<Seeded> {
  const players = playersOf(events);
  await inSchema(
    owner,
    [explorer, postings].map(({ tableSql }) => withoutIndexes(tableSql)),
  );
  const begun = performance.now();
  await owner.query(PLAYERS, [players]);
  for (let from = 1; from <= events; from += EVENTS_PER_INSERT) {
    const to = Math.min(events, from + EVENTS_PER_INSERT - 1);
    await owner.query(EVENTS, [from, to, players]);
    say(`seeded ${to.toLocaleString('en-US')} of ${events.toLocaleString('en-US')} events`);
  }
  await owner.query(POSTINGS);
  await owner.query(SAMPLE, [SAMPLE_EVERY]);
  await owner.query(CLAIMS, [SAMPLE_EVERY]);
  for (const { name, version } of [explorer, postings] as Projection[]) {
    await owner.query('insert into checkpoints (name, version, position) values ($1, $2, $3)', [
      name,
      version,
      events,
    ]);
  }
  await inSchema(owner, [explorer.tableSql, postings.tableSql]);
  await owner.query('vacuum analyze');
  // Last: it says that everything is there.
  await owner.query('update head set position = $1, recorded_at = now()', [events]);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const { rows } = await owner.query<{ size: string }>(
    `select pg_size_pretty(pg_total_relation_size('projections.explorer_v3')) as size`,
  );
  say(`seeded in ${seconds} s; the explorer with its indexes takes ${rows[0]?.size}`);
  return { events, players };
}

/** What an earlier run seeded; null where it was not that many events, or did not end. */
export async function readSeeded(owner: pg.Pool, events: number): Promise<Seeded | null> {
  const { rows } = await owner.query<{ position: number }>('select position from head');
  const at = Number(rows[0]?.position);
  if (at === events) return { events, players: playersOf(events) };
  if (at === 0) return null;
  throw new Error(`the folder holds ${at} events; choose another, or --events ${at}`);
}

const playersOf = (events: number) => Math.max(100, Math.floor(events / EVENTS_PER_PLAYER));

/** The n-th player's wallet, as PLAYERS writes it. */
export function walletOf(n: number): string {
  return 'p'.repeat(32) + String(n).replaceAll('0', 'z');
}

async function inSchema(owner: pg.Pool, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    // As the projector, who owns them: what he makes, the others may read.
    await owner.query(
      `begin; set local role reelbook_projector; set local search_path = ${LIVE_SCHEMA}, public;
        ${statement}; commit`,
    );
  }
}

const PLAYERS = `
  insert into projections.explorer_players_v3 (wallet, public_id, nickname)
  select repeat('p', 32) || replace(n::text, '0', 'z'), 'id' || n,
    case when n % 3 = 0 then 'Player ' || n end
  from generate_series(1, $1::int) as g(n)`;

/** Pair by pair; who it is of is drawn by the square of a pseudo-random number, so that some play far more. */
const EVENTS = `
  insert into projections.explorer_v3 (position, recorded_at, type, kind, wallet, version, points,
    token, game, round, rules, correlation, command, actor, signature, withdrawal, hash_prefix)
  select i, timestamptz '2026-01-01' + i * interval '20 milliseconds', type,
    case when type = 'ConfigChanged' then 'config' else 'player' end,
    case when type <> 'ConfigChanged' then repeat('p', 32) || replace(who::text, '0', 'z') end,
    i,
    case type when 'BetPlaced' then -stake
      when 'BetWon' then stake * (case when pair % 1250 = 7 then 25 when pair % 50 = 8 then 6 else 2 end)
      when 'Exchanged' then -10000 end,
    case type when 'Exchanged' then 1000000000 when 'DepositCredited' then 1000000000 * (1 + pair % 90)
      when 'WithdrawalRequested' then -2000000000 end,
    case when type like 'Bet%' then game end,
    case when type like 'Bet%' then 'id' || who || '-' || pair end,
    case when type = 'BetPlaced' then case when game = 'slot-machine' then 'slot-1' else game || '-1' end end,
    'request ' || pair, lpad(to_hex(pair), 32, '0'),
    case when type = 'ConfigChanged' then 'operator:otto'
      when type like 'Withdrawal%' and type <> 'WithdrawalRequested' then 'system:cashier' end,
    case when type in ('DepositCredited', 'WithdrawalSigned', 'WithdrawalFinalized')
      then repeat('s', 60) || replace(pair::text, '0', 'z') end,
    case when type like 'Withdrawal%' then 'id' || who || '-w' || pair end,
    hashint8extended(i, 7)
  from (
    select i, pair, stake, game, who, case
      when pair % 100000 = 99999 then 'ConfigChanged'
      when pair % 100 = 0 then case i % 2 when 1 then 'SessionStarted' else 'SeedsCommitted' end
      when pair % 100 = 1 then case i % 2 when 1 then 'DepositCredited' else 'Exchanged' end
      when pair % 1000 = 502 then case i % 2 when 1 then 'WithdrawalRequested' else 'WithdrawalApproved' end
      when pair % 1000 = 503 then case i % 2 when 1 then 'WithdrawalSigned' else 'WithdrawalFinalized' end
      when i % 2 = 1 then 'BetPlaced'
      when pair % 50 = 8 or pair % 3 = 0 or pair % 1250 = 7 then 'BetWon' else 'BetLost' end as type
    from (
      select i, (i + 1) / 2 as pair, 100 * (1 + (i + 1) / 2 % 50) as stake,
        (array['slot-machine', 'slot-machine', 'slot-machine', 'slot-machine', 'slot-machine',
          'slot-machine', 'slot-machine', 'tetris', 'snake', 'minesweeper'])[1 + (i + 1) / 2 % 10] as game,
        1 + floor($3::int * power((hashint8((i + 1) / 2) & 2147483647) / 2147483648.0, 2))::int as who
      from generate_series($1::bigint, $2::bigint) as g(i)) as pairs) as typed`;

/** Of points alone; the house's own account is the long one. */
const POSTINGS = `
  insert into projections.postings_v1 (account, asset, position, delta, after)
  select account, 'points', position, delta,
    sum(delta) over (partition by account order by position)
  from (
    select 'player:' || wallet as account, position, points as delta
      from projections.explorer_v3 where points is not null
    union all
    select 'house', position, -points from projections.explorer_v3 where points is not null) as legs`;

const SAMPLE = `
  insert into events (position, first_position, stream, version, type, body, hash, recorded_at)
  select position, position, stream_key('player-' || coalesce(wallet, '')), position, type, '{}',
    int8send(hash_prefix) || decode(repeat('ab', 24), 'hex'), recorded_at
  from projections.explorer_v3 where position % $1 = 1`;

const CLAIMS = `
  insert into claims (key, request_hash, position)
  select command::uuid, decode(repeat('00', 32), 'hex'), position
  from projections.explorer_v3 where position % $1 = 1`;
