/**
 * Processes the open withdrawals. The order of the steps prevents a second payment; a crash may happen at every arrow:
 *
 *   sign -> append WithdrawalSigned -> send -> finalized on the chain -> append WithdrawalFinalized
 *
 * Only recorded bytes are sent. After a crash, or in parallel, another cashier sends the same bytes, which land at most
 * once. A crash before the append leaves a signature that was never sent. A new signature requires the end of the old
 * attempt: it landed and failed, or its blockhash has expired at finalized and no queried node has seen it. A missing
 * response, a timeout or a refusal is not an end.
 */
import { foldedState, StateDiffers } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import type { Config } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { deciders } from '@reelbook/ledger/deciders';
import type { Hold } from '@reelbook/ledger/holds';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import type { LostPayment } from '@reelbook/ledger/operators/loss';
import type { WithdrawalSigned } from '@reelbook/ledger/player/payment-events';
import { openOf } from '@reelbook/ledger/player/withdrawal-state';
import { isAutomatic, OPERATORS_NEEDED } from '@reelbook/ledger/player/withdrawals';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import { CONFIG_STREAM, OPERATORS_STREAM, parseStream } from '@reelbook/ledger/streams';
import { isHeldByFinding, setHold } from '@reelbook/payments/holds';
import { lostPaymentOf } from '@reelbook/payments/operator-actions';
import {
  type OpenStatus,
  type QueuedWithdrawal,
  type QueuePlace,
  readListed,
  readOpenWithdrawals,
} from '@reelbook/projections/withdrawals/queue';
import { checkDestination, findReceiver } from '@reelbook/solana/destination';
import { readSignedTransfer, signTransfer } from '@reelbook/solana/send-transfer';
import type { SignedTransfer } from '@reelbook/solana/transaction';
import { ACTOR, type Cashier } from './context.ts';
import { attemptKey, type Due, execute, follow, readDue, recheck } from './follow.ts';
import { holdOfTreasury } from './observe.ts';
import { catchUp, newTally, overVelocity, type Tally } from './velocity.ts';

/**
 * What one round processes. Signed withdrawals come first, so that a long queue does not delay them; of the others there
 * are few, so that the next round starts soon. Waiting ones have their own limit, so that they do not delay new ones.
 */
const ROUND = [
  { statuses: ['signed'], limit: 200 },
  { statuses: ['requested', 'approved'], held: false, limit: 50 },
  { statuses: ['requested', 'approved'], held: true, limit: 50 },
] as const satisfies readonly {
  statuses: readonly OpenStatus[];
  held?: boolean;
  limit: number;
}[];
/** Limits of a round on withdrawals that only the events list: signed ones, and others. */
const UNLISTED_SIGNED_MAX = 200;
const UNLISTED_MAX = 50;
/** Attempts of one withdrawal; then an operator decides. */
const ATTEMPTS_MAX = 5;

/** State between rounds. Losing it causes delays, never a payment. */
export interface Memory {
  readonly tally: Tally;
  /** Per part of the round, the last processed withdrawal if there are more; the next round continues after it. */
  readonly after: (QueuePlace | null)[];
  /** By stream, why nothing of it is approved or signed: its stored state differs from its events. */
  readonly differing: Map<string, string>;
  /** The number of withdrawals that only the events list, by the last round. */
  unlisted: number;
}

export const newMemory = (): Memory => ({
  tally: newTally(),
  after: [],
  differing: new Map(),
  unlisted: 0,
});

export async function workWithdrawals(cashier: Cashier, memory: Memory): Promise<void> {
  const { pool, log } = cashier;
  await recover(cashier, memory);
  const terms = await readTerms(cashier).catch((error) =>
    differs(error, memory, 'all withdrawals'),
  );
  if (!terms) return;
  const open: Pick<QueuedWithdrawal, 'wallet' | 'withdrawal'>[] = [];
  for (const [part, order] of ROUND.entries()) {
    const after = memory.after[part] ?? null;
    const found = await readOpenWithdrawals(pool, { ...order, after });
    memory.after[part] = found.length < order.limit ? null : (found.at(-1) ?? null);
    open.push(...found);
  }
  open.push(...(await readUnlisted(cashier, memory)));
  for (const queued of open) {
    await cashier.hold();
    const { withdrawal } = queued;
    try {
      const due = await readDue(cashier, queued);
      const hold = due && (await step(cashier, { due, ...terms, memory }));
      if ((await setHold(pool, withdrawal, hold)) && hold) {
        log.warn({ withdrawal, hold }, 'a withdrawal waits');
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'LeaseLost') throw error;
      // A failure must not block the other withdrawals; the next round retries it.
      log.warn({ err: error, withdrawal }, 'a withdrawal failed');
      if (!(error instanceof StateDiffers)) continue;
      differs(error, memory, `withdrawal ${withdrawal}`);
      await setHold(pool, withdrawal, { code: 'state-differs', facts: {} });
    }
  }
}

/**
 * Withdrawals that the events of the last day have as open and the read model does not: it lags, or its row was changed. Those that
 * were processed go to the end of the tally, so that each has its turn.
 */
async function readUnlisted(cashier: Cashier, memory: Memory) {
  const { open, signed } = memory.tally;
  await catchUp(cashier, memory.tally);
  const listed = await readListed(cashier.pool, [...open.keys()]);
  const unlisted = [...open].filter(([withdrawal, wallet]) => listed.get(withdrawal) !== wallet);
  memory.unlisted = unlisted.length;
  const areSigned = unlisted.filter(([withdrawal]) => signed.has(withdrawal));
  const others = unlisted.filter(([withdrawal]) => !signed.has(withdrawal));
  const due = [...areSigned.slice(0, UNLISTED_SIGNED_MAX), ...others.slice(0, UNLISTED_MAX)];
  for (const [withdrawal, wallet] of due) {
    open.delete(withdrawal);
    open.set(withdrawal, wallet);
  }
  return due.map(([withdrawal, wallet]) => ({ withdrawal, wallet }));
}

/** The configuration in force, from its events. */
async function readTerms({ prove }: Cashier): Promise<Pick<Work, 'config' | 'version'>> {
  const { state, version } = await prove(configDecider, CONFIG_STREAM);
  assert(state.config, 'the ledger is configured before a cashier works');
  return { config: state.config, version };
}

/** Remembers it for the failing check; throws any other error. */
function differs(error: unknown, { differing }: Memory, what: string): null {
  if (!(error instanceof StateDiffers)) throw error;
  differing.set(error.stream, `${what}: ${error.message}`);
  return null;
}

/** Forgets the streams whose state has been corrected. */
async function recover({ prove }: Cashier, { differing }: Memory): Promise<void> {
  for (const stream of differing.keys()) {
    try {
      await prove(deciders[parseStream(stream).kind], stream);
      differing.delete(stream);
    } catch (error) {
      if (!(error instanceof StateDiffers)) throw error;
    }
  }
}

interface Work {
  readonly due: Due;
  readonly config: Config;
  readonly version: number;
  readonly memory: Memory;
}

async function step(cashier: Cashier, work: Work): Promise<Hold | null> {
  switch (work.due.stage) {
    case 'requested':
      return approve(cashier, work);
    case 'approved':
      return pay(cashier, work);
    case 'signed':
      return follow(cashier, work.due);
  }
}

async function approve(cashier: Cashier, work: Work): Promise<Hold | null> {
  const { due, config, version, memory } = work;
  const terms = config.withdraw;
  if (!terms.enabled) return PAUSED;
  if (await isHeldByFinding(cashier.pool, due)) return OPEN_FINDING;
  if (await cashier.integrity()) return { code: 'integrity', facts: {} };
  const facts = { approvals: due.approvedBy.length, needed: OPERATORS_NEEDED };
  const code = due.confirmed ? 'needs-operators' : 'not-confirmed';
  const needsOperators: Hold = { code, facts };
  if (!isAutomatic(due, terms)) return needsOperators;
  if (!(await findLost(cashier, due)) && (await denyFor(cashier, work))) return null;
  await catchUp(cashier, memory.tally);
  const over = holdOfTreasury(cashier) ?? overVelocity(memory.tally, due, config);
  if (over) return { code: over, facts: {} };
  await cashier.at('before-approval');
  const reason = 'within the automatic bounds';
  const { withdrawal: id } = due;
  // The cashier approves only what no operator has.
  const approval = { withdrawal: id, by: ACTOR, reason, terms, operators: {} };
  const command = { type: 'ApproveWithdrawal', ...approval } as const;
  const executed = await execute(cashier, due, {
    idempotencyKey: `withdrawal:${id}:approval`,
    request: { approve: id },
    prepare: async () =>
      (await refuseStale(cashier, version)) ?? { command, configVersion: version },
  });
  await cashier.at('approved');
  if (executed.kind === 'done' && !executed.replayed) {
    const approved = await readDue(cashier, due);
    return approved && step(cashier, { ...work, due: approved });
  }
  // The player is suspended, or an operator acted first.
  const refused = executed.kind === 'refused' ? executed.rejection.rejected : null;
  return refused === 'withdrawal-needs-operators' ? needsOperators : null;
}

/** Refuses a command whose configuration changed after the round began: the next round decides all of it again. */
async function refuseStale(cashier: Cashier, version: number): Promise<Rejection | null> {
  return (await readTerms(cashier)).version === version ? null : reject('config-moved');
}

const PAUSED: Hold = { code: 'paused', facts: {} };
const OPEN_FINDING: Hold = { code: 'open-finding', facts: {} };

/** Small withdrawals open no token account: its owner could close it repeatedly and keep the rent. */
function opensAccount({ due, config }: Pick<Work, 'due' | 'config'>): boolean {
  return due.netMinor + due.feeMinor >= config.withdraw.newAccountMinTokenMinor;
}

async function receiverFault(chain: Cashier['chain'], work: Work): Promise<string | null> {
  const { rentLamports, isForeign } = await findReceiver(chain, work.due.to);
  if (isForeign) return 'its-token-account-belongs-to-another-wallet';
  return rentLamports > 0n && !opensAccount(work) ? 'its-token-account-was-closed' : null;
}

/** Denies a withdrawal to an address that cannot receive it. @returns whether it was denied. */
async function denyFor(cashier: Cashier, work: Work): Promise<boolean> {
  const { due } = work;
  const { chain } = cashier;
  const fault = (await checkDestination(chain, due.to)) ?? (await receiverFault(chain, work));
  if (!fault) return false;
  const { withdrawal: id } = due;
  const reason = `the address cannot receive it: ${fault.replaceAll('-', ' ')}`;
  const command = { type: 'DenyWithdrawal', withdrawal: id, by: ACTOR, reason } as const;
  await execute(cashier, due, {
    idempotencyKey: `withdrawal:${id}:denial`,
    request: { deny: id },
    prepare: async () => ({ command, configVersion: null }),
  });
  return true;
}

/** Signs, appends and sends. @returns why it waits, or null. */
async function pay(cashier: Cashier, work: Work): Promise<Hold | null> {
  const { due, config } = work;
  // First, even while withdrawals are paused: an attempt on the chain is a payment.
  const earlier = await recheck(cashier, due);
  if (earlier === 'paid') return null;
  if (earlier !== 'over') return earlier.wait;
  if (!config.withdraw.enabled) return PAUSED;
  const lost = await findLost(cashier, due);
  if (lost) {
    await signAndRecord(cashier, work, () => readSignedTransfer(cashier.chain, lost.signature));
    // It was summed as an outflow without a payment.
    cashier.treasury.unsigned = null;
    return null;
  }
  if (await isHeldByFinding(cashier.pool, due)) return OPEN_FINDING;
  const { signer } = cashier;
  if (!signer) return { code: 'no-key', facts: {} };
  if (due.attempts >= ATTEMPTS_MAX) return giveUp(cashier, due);
  const wait = await shortage(cashier, work);
  if (wait) return wait;
  if (await denyFor(cashier, work)) return null;
  const { to, netMinor: amountMinor, withdrawal: memo } = due;
  const transfer = { signer, to, amountMinor, memo, opensAccount: opensAccount(work) };
  const signed = await signAndRecord(cashier, work, () => signTransfer(cashier.chain, transfer));
  if (!signed) return null;
  await cashier.at('signed-recorded');
  await cashier.chain.send(signed.transaction);
  await cashier.at('sent');
  return null;
}

/**
 * An operator decides. If the last attempt is expired by an operator's confirmation, operators may not return it; the
 * cashier, which has just checked the chain, returns it.
 */
async function giveUp(cashier: Cashier, due: Due): Promise<Hold | null> {
  const { withdrawal: id } = due;
  const reason = `the chain did not accept it ${ATTEMPTS_MAX} times`;
  const command = { type: 'DenyWithdrawal', withdrawal: id, by: ACTOR, reason } as const;
  const executed = await execute(cashier, due, {
    idempotencyKey: `withdrawal:${id}:denial`,
    request: { deny: id },
    prepare: async (state) =>
      openOf(state, id)?.expired?.by === undefined
        ? reject('withdrawal-on-its-way')
        : { command, configVersion: null },
  });
  if (executed.kind === 'done') return null;
  return { code: 'not-taken', facts: { attempts: ATTEMPTS_MAX } };
}

/** The payment of it that the chain has and the ledger lost: it is recorded, and not made again. */
async function findLost({ pool, terms }: Cashier, due: Due): Promise<LostPayment | null> {
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  return lostPaymentOf(state, due, terms.mint);
}

/** Signed amounts are reserved until they are paid, or their attempt is over. */
async function shortage(
  cashier: Cashier,
  { due, config, memory: { tally } }: Work,
): Promise<Hold | null> {
  const { tokenMinor, lamports } = await cashier.chain.treasury();
  await catchUp(cashier, tally);
  const reservedMinor = [...tally.signed.values()].reduce((sum, netMinor) => sum + netMinor, 0n);
  if (tokenMinor - reservedMinor < due.netMinor) return { code: 'treasury-short', facts: {} };
  const isLow = lamports < BigInt(config.withdraw.lowWaterLamports);
  return isLow ? { code: 'treasury-low-on-sol', facts: {} } : null;
}

/** @returns the recorded attempt, of this cashier or another; null if none is allowed. */
async function signAndRecord(
  cashier: Cashier,
  { due, config, version }: Work,
  sign: () => Promise<SignedTransfer>,
): Promise<WithdrawalSigned['data'] | null> {
  const { withdrawal: id } = due;
  const attempt = due.attempts + 1;
  let signed: SignedTransfer | null = null;
  const executed = await execute(cashier, due, {
    idempotencyKey: attemptKey(id, attempt),
    // Without the bytes: a second cashier receives the first one's.
    request: { sign: id, attempt },
    async prepare(state) {
      const stale = await refuseStale(cashier, version);
      if (stale) return stale;
      const open = openOf(state, id);
      if (open?.stage !== 'approved' || open.attempts + 1 !== attempt) {
        return reject('withdrawal-not-approved', { stage: open?.stage ?? 'over' });
      }
      // Signed once, even if `prepare` runs again: one attempt has one signature.
      signed ??= await sign();
      const { bytes: transaction, ...rest } = signed;
      await cashier.at('signed-not-recorded');
      const { withdraw: terms, token } = config;
      const about = { withdrawal: id, attempt, transaction, terms, token };
      const command = { type: 'SignWithdrawal', ...about, ...rest } as const;
      return { command, configVersion: version };
    },
  });
  if (executed.kind !== 'done') return null;
  const found = executed.events.find(({ event }) => event.type === 'WithdrawalSigned');
  const recorded = (found?.event as WithdrawalSigned | undefined)?.data ?? null;
  if (recorded) {
    cashier.log.info({ withdrawal: id, transaction: recorded.signature }, 'a withdrawal is signed');
  }
  return recorded;
}
