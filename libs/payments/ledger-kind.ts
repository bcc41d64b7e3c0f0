import { readStream } from '@reelbook/event-store/read-stream';
import type { ConfigChanged } from '@reelbook/ledger/config/events';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { StartError } from '@reelbook/runtime/lifecycle';
import type pg from 'pg';

/** Play money has no value; real money is covered by the treasury. */
export type Kind = 'play' | 'real';

/** The first configuration decides permanently: with welcome points it is play money. Null before it. */
async function readLedgerKind(pool: pg.Pool): Promise<Kind | null> {
  const [first] = await readStream<ConfigChanged>(pool, {
    stream: CONFIG_STREAM,
    fromVersion: 1,
    limit: 1,
  });
  if (!first) return null;
  return first.event.data.after.welcomePointsMinor > 0n ? 'play' : 'real';
}

const FAULTS: Readonly<Record<Kind, string>> = {
  play:
    'This ledger is play money: a real chain would pay out its free points. Start it without ' +
    'SOLANA_RPC_URL, or with another database.',
  real:
    'This ledger is real money, and this start would serve it as play money. Set SOLANA_RPC_URL to ' +
    'its chain, or start with another database.',
};

/** Throws StartError for a ledger of the other kind: free points must never become money. */
export async function assertLedgerKind(pool: pg.Pool, wanted: Kind): Promise<void> {
  const kind = await readLedgerKind(pool);
  if (kind !== null && kind !== wanted) throw new StartError(FAULTS[kind]);
}
