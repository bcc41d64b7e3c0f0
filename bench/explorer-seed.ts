import { acquireLease } from '@reelbook/event-store/checkpoint';
import { readLog } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import { entries } from '@reelbook/projections/entries/projection';
import { applyBatch, ensureTables, LIVE_SCHEMA, withoutIndexes } from '@reelbook/projections/run';
import type pg from 'pg';

/** Every nth event has an idempotency key, for searches by command. */
export const SAMPLE_EVERY = 9_974;
const EVENTS_PER_PLAYER = 200;
const EVENTS_PER_INSERT = 500_000;
const EVENTS_PER_BATCH = 5_000;
const LEASE_MS = 3_600_000;

export interface Seeded {
  readonly events: number;
  readonly players: number;
}

/**
 * Fills a ledger by SQL: registrations, then pairs of events (97 of 100 pairs are a stake and its settlement) of
 * players with very different activity. No event is decided or sealed. The projection writes the entries; their indexes
 * are built afterwards, as in a rebuild.
 */
export async function seedExplorer(
  owner: pg.Pool,
  projector: pg.Pool,
  events: number,
  print: (line: string) => void,
): Promise<Seeded> {
  const players = playersOf(events);
  const begun = performance.now();
  await insertEvents(owner, events, print);
  await owner.query(KEYS, [SAMPLE_EVERY]);
  await project(projector, events);
  print('projection applied');
  await ensureTables(projector, [entries], LIVE_SCHEMA);
  await owner.query('vacuum analyze');
  // Written last: marks the seed as complete.
  await owner.query('update ledger_head set position = $1, recorded_at = now()', [events]);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const { rows } = await owner.query<{ name: string; bytes: number }>(SIZES);
  print(`seeded in ${seconds} s; bytes per event:`);
  for (const { name, bytes } of rows) print(`${(bytes / events).toFixed(1).padStart(8)}  ${name}`);
  return { events, players };
}

/** Fills an empty ledger by SQL, without idempotency keys, states and head. */
export async function insertEvents(
  owner: pg.Pool,
  events: number,
  print: (line: string) => void,
): Promise<void> {
  const players = playersOf(events);
  for (let from = 1; from <= events; from += EVENTS_PER_INSERT) {
    const to = Math.min(events, from + EVENTS_PER_INSERT - 1);
    await owner.query(EVENTS, [from, to, players, Math.floor(events / 5)]);
    print(`seeded ${to.toLocaleString('en-US')} of ${events.toLocaleString('en-US')} events`);
  }
}

async function project(projector: pg.Pool, events: number): Promise<void> {
  await ensureTables(projector, [{ tableSql: withoutIndexes(entries.tableSql) }]);
  const { name, version } = entries;
  const lease = await acquireLease(projector, {
    name,
    version,
    holder: 'bench',
    leaseMs: LEASE_MS,
  });
  assert(lease, 'a lease that is free');
  for (let from = 1; from <= events; from += EVENTS_PER_BATCH) {
    const batch = await readLog(projector, { from, limit: EVENTS_PER_BATCH });
    await applyBatch(projector, { projection: entries, lease, events: batch, leaseMs: LEASE_MS });
  }
}

const SIZES = `
  select relname as name, pg_relation_size(c.oid) as bytes from pg_class as c
  join pg_namespace as n on n.oid = relnamespace
  where nspname = '${LIVE_SCHEMA}' and relname like 'entries%' order by 2 desc`;

/** What an earlier run seeded; null if it had another number of events or did not finish. */
export async function readSeeded(owner: pg.Pool, events: number): Promise<Seeded | null> {
  const { rows } = await owner.query<{ position: number }>('select position from ledger_head');
  const at = Number(rows[0]?.position);
  if (at === events) return { events, players: playersOf(events) };
  if (at === 0) return null;
  throw new Error(`the folder contains ${at} events; use another folder or --events ${at}`);
}

const playersOf = (events: number) => Math.max(100, Math.floor(events / EVENTS_PER_PLAYER));

/** Wallet of the nth player, in the format of PLAYERS. */
export function walletOf(n: number): string {
  return 'p'.repeat(32) + String(n).replaceAll('0', 'z');
}

/** Pair by pair. The player is chosen by the square of a pseudo-random number, so that some play far more. */
const EVENTS = `
  insert into events (position, first_position, stream, version, type, body, hash, recorded_at)
  select i, i, stream_key(stream), i, type, json_build_object(
      'position', i, 'stream', stream, 'version', i, 'type', type, 'time', at,
      'data', case type
        when 'PlayerRegistered' then json_build_object('wallet', wallet, 'publicId', 'id' || who)
        when 'NicknameChanged' then json_build_object('nickname', 'Player ' || who)
        when 'SeedsCommitted' then json_build_object('pair', 1, 'activeHash', repeat('1', 64),
          'nextHash', repeat('2', 64))
        when 'ClientSeedChanged' then json_build_object('pair', 1, 'clientSeed', 'lucky',
          'by', 'player')
        when 'BetPlaced' then json_build_object('round', round, 'game', game,
          'stakeMinor', stake::text, 'lines', 25, 'rules', rules, 'pair', 1, 'nonce', pair,
          'after', after)
        when 'BetWon' then json_build_object('round', round, 'game', game, 'outcome', '{}'::json,
          'stakeMinor', stake::text, 'payoutMinor', (stake * multiple)::text, 'after', after)
        when 'BetLost' then json_build_object('round', round, 'game', game, 'outcome', '{}'::json,
          'stakeMinor', stake::text, 'after', after)
        when 'Exchanged' then json_build_object('fromAsset', 'points', 'toAsset', 'token',
          'fromMinor', '10000', 'toMinor', '1000000000', 'after', after)
        when 'DepositCredited' then json_build_object('signature', signature, 'from', 'chain',
          'amountMinor', (1000000000::bigint * (1 + pair % 90))::text, 'after', after)
        when 'WithdrawalRequested' then json_build_object('withdrawal', withdrawal,
          'amountMinor', '2000000000', 'netMinor', '1900000000', 'feeMinor', '100000000',
          'after', after)
        when 'WithdrawalFinalized' then json_build_object('withdrawal', withdrawal,
          'signature', signature, 'netMinor', '1900000000', 'feeMinor', '100000000')
        when 'WithdrawalApproved' then json_build_object('withdrawal', withdrawal)
        when 'WithdrawalSigned' then json_build_object('withdrawal', withdrawal,
          'signature', signature)
        else '{}'::json end,
      'meta', json_build_object('command', lpad(to_hex(pair), 32, '0'),
        'correlation', 'request ' || pair,
        'actor', case when type = 'ConfigChanged' then 'operator:otto'
          when type like 'Withdrawal%' and type <> 'WithdrawalRequested' then 'system:cashier'
          else 'player:' || wallet end)),
    int8send(hashint8extended(i, 7)) || decode(repeat('ab', 24), 'hex'), at::timestamptz
  from (
    select *, '2026-01-01T00:00:00Z'::timestamptz + i * interval '20 milliseconds' as at,
      case when type = 'ConfigChanged' then 'config' else 'player-' || wallet end as stream,
      'id' || who || '-' || pair as round, 'id' || who || '-w' || pair as withdrawal,
      repeat('s', 60) || replace(pair::text, '0', 'z') as signature,
      case when game <> 'slot-machine' then game || '-1' when i < $4::bigint then 'slot-0'
        else 'slot-1' end as rules,
      case when pair % 1250 = 7 then 25 when pair % 50 = 8 then 6 else 2 end as multiple,
      json_build_object('pointsMinor', '100000', 'tokenMinor', '1000000000') as after
    from (
      select i, pair, stake, game, who, repeat('p', 32) || replace(who::text, '0', 'z') as wallet,
        case
        when pair <= $3::int and i % 2 = 1 then 'PlayerRegistered'
        when pair <= $3::int and pair % 3 = 0 then 'NicknameChanged'
        when pair <= $3::int then 'SessionStarted'
        when pair <= 2 * $3::int then
          case i % 2 when 1 then 'SeedsCommitted' else 'ClientSeedChanged' end
        when pair % 100000 = 99999 then 'ConfigChanged'
        when pair % 100 = 0 then 'SessionStarted'
        when pair % 100 = 1 then case i % 2 when 1 then 'DepositCredited' else 'Exchanged' end
        when pair % 1000 = 502 then
          case i % 2 when 1 then 'WithdrawalRequested' else 'WithdrawalApproved' end
        when pair % 1000 = 503 then
          case i % 2 when 1 then 'WithdrawalSigned' else 'WithdrawalFinalized' end
        when i % 2 = 1 then 'BetPlaced'
        when pair % 50 = 8 or pair % 3 = 0 or pair % 1250 = 7 then 'BetWon' else 'BetLost' end as type
      from (
        select i, (i + 1) / 2 as pair, 100 * (1 + (i + 1) / 2 % 50) as stake,
          case when (i + 1) / 2 % 20000 = 4 then 'mahjong' else (array['slot-machine',
            'slot-machine', 'slot-machine', 'slot-machine', 'slot-machine', 'slot-machine',
            'slot-machine', 'tetris', 'snake', 'minesweeper'])[1 + (i + 1) / 2 % 10] end as game,
          case when (i + 1) / 2 <= 2 * $3::int then 1 + ((i + 1) / 2 - 1) % $3::int
            when hashint8((i + 1) / 2 + 5) & 15 = 0 then 1
            else 1 + floor($3::int
              * power((hashint8((i + 1) / 2) & 2147483647) / 2147483648.0, 2))::int end as who
        from generate_series($1::bigint, $2::bigint) as g(i)) as pairs) as typed) as named`;

const KEYS = `
  insert into idempotency_keys (key, request_hash, position)
  select (body->'meta'->>'command')::uuid, decode(repeat('00', 32), 'hex'), position
  from events where position % $1 = 1`;
