import type { CommandExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import type { Config } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { assertLedgerKind } from '@reelbook/payments/ledger-kind';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Logger } from '@reelbook/runtime/log';
import type { Signer } from '@reelbook/solana/keys';
import type { Terms } from '@reelbook/solana/mint';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';

/** Places between two steps at which a crash must lose and double nothing. */
export type CrashPoint =
  | 'movement-found'
  | 'movement-added'
  | 'movement-booked'
  | 'movement-recorded'
  | 'before-approval'
  | 'approved'
  | 'signed-not-booked'
  | 'signed-booked'
  | 'sent'
  | 'seen-final'
  | 'final-booked'
  | 'seen-failed'
  | 'failure-booked'
  | 'seen-expired'
  | 'expiry-booked'
  | 'memo-signed'
  | 'memo-sent'
  | 'memo-seen-final'
  | 'anchor-booked'
  | 'before-observation'
  | 'observed';

/** What every step of the cashier works with. */
export interface Cashier {
  /** Role app. */
  readonly pool: pg.Pool;
  readonly executor: CommandExecutor;
  readonly chain: Chain;
  readonly terms: Terms;
  /** Null: deposits are credited, and what is to be paid waits for a cashier with the treasury's key. */
  readonly signer: Signer | null;
  readonly log: Logger;
  /** Nodes that must say that a transaction never was: one is enough only where the chain is our own. */
  readonly witnesses: 1 | 2;
  /** Least time between two anchors of seals; null: none are made. */
  readonly anchorEveryMs: number | null;
  /** Throws `LeaseLost` when another cashier acts. */
  hold(): Promise<void>;
  /** Nothing, but in tests that crash there. */
  at(point: CrashPoint): Promise<void> | void;
}

export const ACTOR = 'system:cashier';

/** Meta of what the cashier does of itself; `about` ties the events of one matter together. */
export const metaOf = (about: string) => ({ correlation: about, actor: ACTOR });

/**
 * Whether a gateway has written down yet which mint and treasury the ledger is of. Throws when it is none that this cashier
 * may carry money for: of others, whose tokens it would credit, or of play money beside a chain that pays.
 */
export async function isLedgerReady(
  pool: pg.Pool,
  o: { readonly mint: string; readonly wallet: string; readonly localChain: boolean },
): Promise<boolean> {
  await assertLedgerKind(pool, o.localChain ? 'play' : 'real');
  const { state } = await loadState(pool, configDecider, CONFIG_STREAM);
  const { contract = null, projectWallet = null } = state.config?.token ?? {};
  if (contract === null) return false;
  if (contract === o.mint && projectWallet === o.wallet) return true;
  const [ledger, here] = [`${contract} and ${projectWallet}`, `${o.mint} and ${o.wallet}`];
  throw new StartError(`The ledger is of mint and treasury ${ledger}, this cashier of ${here}.`);
}

export async function readConfig(pool: pg.Pool): Promise<{ config: Config; version: number }> {
  const { state, version } = await loadState(pool, configDecider, CONFIG_STREAM);
  assert(state.config, 'the ledger is configured before a cashier works');
  return { config: state.config, version };
}
