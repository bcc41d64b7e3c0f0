import { readStream } from '@reelbook/event-store/read-stream';
import type { ConfigChanged } from '@reelbook/ledger/config/events';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { StartError } from '@reelbook/runtime/lifecycle';
import type pg from 'pg';

/** What the points of a ledger are worth: nothing, or what its treasury holds. */
export type Kind = 'play' | 'real';

/** Its first configuration says so, for ever: one with welcome points is of play money. Null before there is one. */
async function readLedgerKind(pool: pg.Pool): Promise<Kind | null> {
  const [first] = await readStream<ConfigChanged>(pool, {
    ...{ stream: CONFIG_STREAM, fromVersion: 1, limit: 1 },
  });
  if (!first) return null;
  return first.event.data.after.welcomePointsMinor > 0n ? 'play' : 'real';
}

const FAULTS: Readonly<Record<Kind, string>> = {
  play:
    'This ledger is of play money: its players got points for nothing, which a real chain would pay out. Start it ' +
    'without SOLANA_RPC_URL, or start with another database.',
  real:
    'This ledger is of real money, and this start would serve it as play money. Set SOLANA_RPC_URL to its chain, or ' +
    'start with another database.',
};

/** Throws StartError for a ledger of the other kind: points that cost nothing must never meet money, whatever is set later. */
export async function assertLedgerKind(pool: pg.Pool, wanted: Kind): Promise<void> {
  const kind = await readLedgerKind(pool);
  if (kind !== null && kind !== wanted) throw new StartError(FAULTS[kind]);
}
