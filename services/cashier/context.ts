import type { CommandExecutor } from '@reelbook/event-store/execute';
import { foldedState, type StateLoader } from '@reelbook/event-store/read-stream';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { assertLedgerKind } from '@reelbook/payments/ledger-kind';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import type { Signer } from '@reelbook/solana/keys';
import type { Terms } from '@reelbook/solana/mint';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';

/** Points between two steps. A crash at any of them must not lose or repeat a payment or credit. */
export type CrashPoint =
  | 'movement-found'
  | 'movement-added'
  | 'movement-appended'
  | 'movement-recorded'
  | 'dust-appended'
  | 'dust-recorded'
  | 'before-approval'
  | 'approved'
  | 'signed-not-recorded'
  | 'signed-recorded'
  | 'sent'
  | 'seen-final'
  | 'final-recorded'
  | 'seen-failed'
  | 'failure-recorded'
  | 'seen-expired'
  | 'expiry-recorded'
  | 'memo-signed'
  | 'memo-sent'
  | 'memo-seen-final'
  | 'anchor-recorded'
  | 'before-observation'
  | 'observed';

/** Dependencies of every step of the cashier. */
export interface Cashier {
  /** Role app. */
  readonly pool: pg.Pool;
  readonly executor: CommandExecutor;
  /** Decides on states that `prove` gives. */
  readonly proving: CommandExecutor;
  /** Loads states folded from the events: what is approved and signed is decided on these. */
  readonly prove: StateLoader;
  /** What a check of the database found; while it is not null, nothing is approved automatically. */
  integrity(): Promise<string | null>;
  readonly chain: Chain;
  readonly terms: Terms;
  /** Null: deposits are credited; withdrawals wait for a cashier with the treasury's key. */
  readonly signer: Signer | null;
  readonly log: Logger;
  /** Providers that must confirm that a transaction never landed: 1 only for a local chain. */
  readonly witnesses: 1 | 2;
  /** Minimum time between two anchors of seals; null disables them. */
  readonly anchorEveryMs: number | null;
  /** What the last observations of the treasury found. */
  readonly treasury: { readonly isShort: boolean; unsigned: unknown };
  /** Renews the lease. Throws `LeaseLost` if another cashier has it. */
  hold(): Promise<void>;
  /** A no-op, except in tests that crash there. */
  at(point: CrashPoint): Promise<void> | void;
}

export const ACTOR = 'system:cashier';

/** Meta of the cashier's own commands; `about` is the correlation of related events. */
export const metaOf = (about: string) => ({ correlation: about, actor: ACTOR });

/**
 * Whether a gateway has recorded the ledger's mint and treasury. Throws if they differ from this cashier's, or if the
 * ledger is play money and the chain is real.
 */
export async function isLedgerReady(
  pool: pg.Pool,
  o: { readonly mint: string; readonly wallet: string; readonly localChain: boolean },
): Promise<boolean> {
  await assertLedgerKind(pool, o.localChain ? 'play' : 'real');
  const { state } = await foldedState(pool, configDecider, CONFIG_STREAM);
  const { contract = null, projectWallet = null } = state.config?.token ?? {};
  if (contract === null) return false;
  if (contract === o.mint && projectWallet === o.wallet) return true;
  const [ledger, here] = [`${contract} and ${projectWallet}`, `${o.mint} and ${o.wallet}`];
  throw new StartError(`The ledger has mint and treasury ${ledger}; this cashier has ${here}.`);
}
