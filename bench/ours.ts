import type { CommandExecutor } from '@reelbook/event-store/execute';
import type pg from 'pg';
import type { Subject } from './measure.ts';
import { bet } from './players.ts';

/** Bets through the command executor, one wallet after the other, so that no wallet has two bets in flight. */
export function ours(executor: CommandExecutor, wallets: readonly string[], name: string): Subject {
  let turn = 0;
  return {
    name,
    async operate() {
      const wallet = wallets[turn++ % wallets.length] ?? '';
      const executed = await executor.execute(bet(wallet));
      if (executed.kind !== 'done') throw new Error(`a bet returned ${executed.kind}`);
    },
  };
}

/**
 * The upper bound of this schema: the same bets on a separate database take the same path (decided, serialized,
 * batched, sent), but `append` is a bare multi-row INSERT of their events: no idempotency key, version check, hash
 * chain or current state.
 */
export async function makeBare(owner: pg.Pool): Promise<void> {
  const { rows } = await owner.query<{ next: number }>(
    'select position + 1 as next from ledger_head',
  );
  await owner.query(`create sequence bare_position start ${rows[0]?.next};
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
    end $$`);
}
