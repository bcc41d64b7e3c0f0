import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetWon } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { changeRows } from './projection.ts';

/** A player's names in a batch; null: not in the batch. */
export interface PlayerNames {
  readonly wallet: string;
  readonly publicId: string | null;
  readonly nickname: string | null;
}

/** The last value of each name in a batch. */
export function foldNames(events: readonly RecordedEvent[]): readonly PlayerNames[] {
  const players = new Map<string, PlayerNames>();
  for (const { event, stream } of events) {
    if (event.type !== 'PlayerRegistered' && event.type !== 'NicknameChanged') continue;
    const wallet = parseStream(stream).id;
    const before = players.get(wallet) ?? { wallet, publicId: null, nickname: null };
    const change =
      event.type === 'PlayerRegistered'
        ? { publicId: event.data.publicId }
        : { nickname: event.data.nickname };
    players.set(wallet, { ...before, ...change });
  }
  return [...players.values()];
}

/** The event that settled a round, unless it was voided; null for others. */
export function settledBy(event: RecordedEvent['event']): BetWon | BetLost | null {
  return event.type === 'BetWon' || event.type === 'BetLost' ? event : null;
}

/** Writes names to a table of (wallet, public_id, nickname) that belongs to the calling projection. */
export async function applyNames(
  client: pg.ClientBase,
  table: string,
  names: readonly PlayerNames[],
): Promise<void> {
  await changeRows(
    client,
    {
      name: `apply-names-${table}`,
      text: `insert into ${table} (wallet, public_id, nickname)
        select change.wallet, coalesce(change."publicId", old.public_id),
          coalesce(change.nickname, old.nickname)
        from json_to_recordset($1) as change(wallet text, "publicId" text, nickname text)
        left join ${table} as old on old.wallet = change.wallet
        on conflict (wallet) do update
          set public_id = excluded.public_id, nickname = excluded.nickname`,
    },
    names,
  );
}
