import type { Adjustments } from '@reelbook/contract/admin/act-schemas';
import type { AdminDataOf } from '@reelbook/contract/admin/routes';
import { readEvent } from '@reelbook/event-store/read-log';
import { loadTip } from '@reelbook/event-store/read-stream';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { AdjustmentProposed, PlayerNoted } from '@reelbook/ledger/player/standing';
import { standingOf } from '@reelbook/ledger/player/standing';
import { parseStream, playerStream } from '@reelbook/ledger/streams';
import type { ExplorerFilter } from '@reelbook/projections/explorer/filter';
import { readExplorer } from '@reelbook/projections/explorer/read';
import type pg from 'pg';
import type { Admin } from '../context.ts';

/** Read of the latest, newest first. */
const NOTES_SHOWN = 200;
const PROPOSALS_LOOKED_AT = 200;

/** What operators noted of a player. */
export async function readNotes(
  { pool }: Pick<Admin, 'pool'>,
  wallet: string,
): Promise<AdminDataOf<'playerNotes'>> {
  const types = ['PlayerNoted'] as const;
  const events = await findEvents(pool, { types, wallet }, NOTES_SHOWN);
  return events.map(({ position, time, event }) => {
    const { by, note } = (event as PlayerNoted).data;
    return { position, time, by, note };
  });
}

/** Those that still wait, by the players' own states: what was decided since is not in it. */
export async function readAdjustments({ pool }: Pick<Admin, 'pool'>): Promise<Adjustments> {
  const types = ['AdjustmentProposed'] as const;
  const events = await findEvents(pool, { types }, PROPOSALS_LOOKED_AT);
  const wallets = [...new Set(events.map(({ stream }) => parseStream(stream).id))];
  const waiting = new Set<string>();
  for (const wallet of wallets) {
    const { state } = await loadTip(pool, playerDecider, playerStream(wallet));
    for (const { adjustment } of standingOf(state).proposals) waiting.add(adjustment);
  }
  return events.flatMap(({ event, stream, position, time: proposed_at }) => {
    const { adjustment, asset, deltaMinor, by, reason } = (event as AdjustmentProposed).data;
    if (!waiting.has(adjustment)) return [];
    const amount = { asset, minor: String(deltaMinor) };
    const wallet = parseStream(stream).id;
    return [{ adjustment, wallet, amount, by, reason, position, proposed_at }];
  });
}

async function findEvents(pool: pg.Pool, filter: ExplorerFilter, limit: number) {
  const { entries } = await readExplorer(pool, { filter, limit });
  const events = await Promise.all(entries.map(({ position }) => readEvent(pool, position)));
  return events.filter((event) => event !== null);
}
