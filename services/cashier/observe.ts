import { randomUUID } from 'node:crypto';
import { assert } from '@reelbook/ledger/assert';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { sumDust } from '@reelbook/payments/dust';
import {
  reopenUnrecorded,
  type Scan,
  sumMovements,
  sumUnsigned,
} from '@reelbook/payments/movements';
import type { Dust } from './classify.ts';
import { type Cashier, metaOf } from './context.ts';
import { type Rescan, rescan, startRescan } from './scan.ts';

/** Consecutive observations below the scan's sum before one is recorded: a signature may be listed late. */
const MISSING_MAX = 10;

/** A warning is logged after every so many consecutive observations above the scan's sum. */
const UNEXPLAINED_PER_WARNING = 60;

/** Consecutive observations below or above the scan's sum. */
export interface Mismatches {
  missing: number;
  unexplained: number;
  /**
   * Whether the treasury holds less than its transactions explain, or was not observed since the lease began: a transaction may
   * be invented, or the treasury's key stolen.
   */
  isShort: boolean;
  /** The walk over the list again, which a lasting difference starts. */
  again: Rescan | null;
  /** Mismatches before the next walk; doubled after each one, up to the maximum. */
  patience: number;
  /** The node that lists the next walk. */
  node: number;
  rounds: number;
  /**
   * What left without a payment, and the sum of all that left, below 0: in slots up to `from`, and up to `to` by the rows up to the signature `after`.
   * Summed again after each walk, with the movements that are marked as recorded, and when the rows have more that left.
   */
  unsigned: {
    readonly from: number;
    readonly to: number;
    readonly after: string;
    readonly minor: bigint;
    readonly outMinor: bigint;
  } | null;
  /** The dust that the ledger has, up to a version of the treasury's stream. */
  dust: { readonly version: number; readonly minor: bigint };
}

/**
 * Rounds until another node is asked: about a minute. What one node omits, or a node that stopped at an old slot, leaves no other
 * trace.
 */
const ROUNDS_PER_NODE = 60;

/** Rounds between two checks of the movements that are marked as recorded: about an hour. */
const ROUNDS_PER_CHECK = 3_600;

const PATIENCE_MIN = UNEXPLAINED_PER_WARNING;
const PATIENCE_MAX = 86_400;

export function newMismatches(): Mismatches {
  return {
    missing: 0,
    unexplained: 0,
    isShort: true,
    again: null,
    patience: PATIENCE_MIN,
    node: 0,
    rounds: 0,
    unsigned: null,
    dust: { version: 0, minor: 0n },
  };
}

/** While this is not null, nothing is approved automatically. */
export const holdOfTreasury = ({ treasury }: Pick<Cashier, 'treasury'>) =>
  treasury.isShort ? 'treasury-unexplained' : null;

/** What of the treasury needs a person; null: nothing. */
export function describeMismatch({ missing, unexplained }: Mismatches): string | null {
  if (missing >= MISSING_MAX) {
    return 'the treasury holds less than its transactions explain: nothing is approved automatically';
  }
  return unexplained >= UNEXPLAINED_PER_WARNING
    ? 'the treasury holds more than its transactions explain: a deposit may be missing'
    : null;
}

/**
 * Walks over the list again, a part per round, while the difference lasts: a node may have omitted a transaction. Checks what is
 * marked as recorded: the ledger decides.
 */
export async function explain(cashier: Cashier, mismatches: Mismatches): Promise<void> {
  mismatches.rounds++;
  if (mismatches.rounds % ROUNDS_PER_NODE === 0) cashier.chain.turn();
  if (mismatches.rounds % ROUNDS_PER_CHECK === 1) {
    mismatches.unsigned = null;
    const count = await reopenUnrecorded(cashier.pool);
    if (count > 0)
      cashier.log.error({ count }, 'movements marked as recorded are not in the ledger');
  }
  const { missing, unexplained, patience } = mismatches;
  if (missing + unexplained >= patience && mismatches.again === null) {
    const { urls } = cashier.chain.options;
    mismatches.again = await startRescan(cashier, urls[++mismatches.node % urls.length] ?? '');
    mismatches.patience = Math.min(PATIENCE_MAX, patience * 2);
    cashier.log.warn({ missing, unexplained }, 'the transactions of the treasury are listed again');
  }
  if (!mismatches.again) return;
  try {
    if (!(await rescan(mismatches.again))) return;
    mismatches.again = null;
    mismatches.unsigned = null;
  } catch (error) {
    // Of one node only; the next walk is of another one.
    mismatches.again = null;
    cashier.log.warn({ err: error }, 'the transactions of the treasury could not be listed again');
  }
}

/**
 * Records the treasury's balance and net deposits, both at one slot, if the scanned transactions explain the balance
 * exactly: then no deposit or payment is on one side only. An unexplained surplus is no cover and waits for the scan; a
 * repeated deficit is recorded. `waiting`: dust that was read from the chain and is not recorded yet.
 */
export async function observe(
  cashier: Cashier,
  scan: Scan,
  { mismatches, waiting }: { readonly mismatches: Mismatches; readonly waiting: Dust },
): Promise<void> {
  const { chain, pool, executor, log } = cashier;
  const { tokenMinor, slot } = await chain.treasury();
  const { tokenAccount, base } = scan;
  if (slot < base.slot) return;
  const movedMinor = await sumMovements(pool, tokenAccount, { from: base.slot, to: slot });
  const unexplainedMinor = tokenMinor - (base.tokenMinor + movedMinor);
  mismatches.missing = unexplainedMinor < 0n ? mismatches.missing + 1 : 0;
  mismatches.unexplained = unexplainedMinor > 0n ? mismatches.unexplained + 1 : 0;
  if (unexplainedMinor === 0n) mismatches.patience = PATIENCE_MIN;
  if (unexplainedMinor >= 0n) mismatches.isShort = false;
  if (mismatches.missing >= MISSING_MAX) mismatches.isShort = true;
  if (mismatches.unexplained > 0 && mismatches.unexplained % UNEXPLAINED_PER_WARNING === 0) {
    const more = { unexplainedMinor: unexplainedMinor.toString(), slot };
    log.warn(more, 'the treasury holds more than its transactions explain; not recorded');
  }
  if (unexplainedMinor > 0n || (unexplainedMinor < 0n && mismatches.missing < MISSING_MAX)) return;
  if (unexplainedMinor < 0n) {
    const missing = { unexplainedMinor: unexplainedMinor.toString(), slot };
    log.error(missing, 'the treasury holds less than its transactions explain');
  }
  const { state } = await executor.currentState(treasuryDecider, TREASURY_STREAM);
  // The first one in the ledger is that of the opening, which no row can move afterwards.
  if (state.slot === undefined) await append(cashier, base);
  const unsignedMinor = await sumOutflows(cashier, scan, { mismatches, slot });
  if (unsignedMinor === null) return;
  const dustMinor = await sumOwnDust(cashier, scan, { mismatches, waiting });
  // The house's own grows only by dust that the ledger or the chain has: no row makes a deposit the house's.
  const netDepositsMinor = base.netDepositsMinor + movedMinor + unsignedMinor - dustMinor;
  await cashier.at('before-observation');
  await append(cashier, { tokenMinor, netDepositsMinor, slot });
  await cashier.at('observed');
}

/** Steps of one round, about as many seconds at most. Nothing is observed until all rows are summed. */
const STEPS_PER_ROUND = 4;
/** Two nodes differ by less; a slot that is further ahead was a node's mistake. */
export const SLOTS_AHEAD_MAX = 1_000;

/**
 * What left without a payment, up to a slot; null if a later round continues. What was summed is remembered: a row that was changed or
 * deleted since then does not take it back.
 */
async function sumOutflows(
  { pool, hold }: Cashier,
  { tokenAccount, base }: Scan,
  { mismatches, slot }: { readonly mismatches: Mismatches; readonly slot: number },
): Promise<bigint | null> {
  const { unsigned } = mismatches;
  const isUsable = unsigned !== null && unsigned.from - slot <= SLOTS_AHEAD_MAX;
  let sum = isUsable ? unsigned : { from: base.slot, to: slot, after: '', minor: 0n, outMinor: 0n };
  for (let step = 0; step < STEPS_PER_ROUND; step++) {
    await hold();
    const { minor, outMinor, last } = await sumUnsigned(pool, tokenAccount, sum);
    const end = { from: sum.to, to: Math.max(sum.to, slot), after: '' };
    sum = {
      ...sum,
      ...(last === null ? end : { after: last }),
      minor: sum.minor + minor,
      outMinor: sum.outMinor + outMinor,
    };
    mismatches.unsigned = sum;
    if (last !== null || sum.from < slot) continue;
    // A transaction may be read, or listed again, after its slot was summed.
    const span = { from: base.slot, to: sum.from, isOut: true };
    if ((await sumMovements(pool, tokenAccount, span)) >= sum.outMinor) return sum.minor;
    mismatches.unsigned = null;
    return null;
  }
  return null;
}

/** The dust that the ledger has, and that which waits for its event. */
async function sumOwnDust(
  { pool, hold }: Cashier,
  { tokenAccount, base }: Scan,
  { mismatches, waiting }: { readonly mismatches: Mismatches; readonly waiting: Dust },
): Promise<bigint> {
  for (let isEnd = false; !isEnd; ) {
    await hold();
    const { version: afterVersion, minor } = mismatches.dust;
    const next = await sumDust(pool, tokenAccount, { afterVersion, afterSlot: base.slot });
    mismatches.dust = { version: next.last, minor: minor + next.minor };
    isEnd = next.isEnd;
  }
  const later = [...waiting.values()].filter(({ slot }) => slot > base.slot);
  return later.reduce((sum, { amountMinor }) => sum + amountMinor, mismatches.dust.minor);
}

async function append({ executor }: Cashier, observation: Scan['base']): Promise<void> {
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: `treasury:observed:${randomUUID()}`,
    request: null,
    meta: metaOf(`slot-${observation.slot}`),
    prepare: async () => ({
      command: { type: 'ObserveTreasury' as const, ...observation, source: 'chain' },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', 'an observation is never refused');
}
