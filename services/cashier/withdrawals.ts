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
import { loadState } from '@reelbook/event-store/read-stream';
import type { Config } from '@reelbook/ledger/config/config';
import type { Hold } from '@reelbook/ledger/holds';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { WithdrawalSigned } from '@reelbook/ledger/player/payment-events';
import { isAutomatic, OPERATORS_NEEDED } from '@reelbook/ledger/player/withdrawal';
import { openOf } from '@reelbook/ledger/player/withdrawals';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { isHeldByFinding } from '@reelbook/payments/findings';
import { setHold } from '@reelbook/payments/holds';
import {
  type OpenStatus,
  type QueuePlace,
  readOpenWithdrawals,
  readSigned,
  type Withdrawal,
} from '@reelbook/projections/withdrawals/read';
import { checkDestination, findReceiver } from '@reelbook/solana/destination';
import type { Signer } from '@reelbook/solana/keys';
import { signTransfer } from '@reelbook/solana/send-transfer';
import type { SignedTransfer } from '@reelbook/solana/transaction';
import { ACTOR, type Cashier, readConfig } from './context.ts';
import { execute } from './execute.ts';
import { follow, recheck } from './follow.ts';
import { type Approved, overVelocity } from './velocity.ts';

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
/** Attempts of one withdrawal; then an operator decides. */
const ATTEMPTS_MAX = 5;

/** State between rounds. Losing it causes delays, never a payment. */
export interface Memory {
  /** The ledger's position at the start of this memory: the read model must reach it to include earlier approvals. */
  readonly beganAt: number;
  /** Approvals since then that the read model may lack. */
  approved: readonly Approved[];
  /** Per part of the round, the last processed withdrawal if there are more; the next round continues after it. */
  readonly after: (QueuePlace | null)[];
  /** Signed amounts that the read model may lack: already reserved. */
  signed: readonly { readonly position: number; readonly netMinor: bigint }[];
}

export function newMemory(beganAt: number): Memory {
  return { beganAt, approved: [], after: [], signed: [] };
}

export async function workWithdrawals(cashier: Cashier, memory: Memory): Promise<void> {
  const { pool, log } = cashier;
  const { config, version } = await readConfig(pool);
  const open: Withdrawal[] = [];
  for (const [part, order] of ROUND.entries()) {
    const after = memory.after[part] ?? null;
    const found = await readOpenWithdrawals(pool, { ...order, after });
    memory.after[part] = found.length < order.limit ? null : (found.at(-1) ?? null);
    open.push(...found);
  }
  for (const withdrawal of open) {
    await cashier.hold();
    try {
      const hold = await step(cashier, { withdrawal, config, version, memory });
      if ((await setHold(pool, withdrawal.withdrawal, hold)) && hold) {
        log.warn({ withdrawal: withdrawal.withdrawal, hold }, 'a withdrawal waits');
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'LeaseLost') throw error;
      // A failure must not block the other withdrawals; the next round retries it.
      log.warn({ err: error, withdrawal: withdrawal.withdrawal }, 'a withdrawal failed');
    }
  }
}

interface Work {
  readonly withdrawal: Withdrawal;
  readonly config: Config;
  readonly version: number;
  readonly memory: Memory;
}

async function step(cashier: Cashier, work: Work): Promise<Hold | null> {
  switch (work.withdrawal.status) {
    case 'requested':
      return approve(cashier, work);
    case 'approved':
      return pay(cashier, work);
    case 'signed':
      return follow(cashier, work.withdrawal);
    default:
      return null;
  }
}

async function approve(cashier: Cashier, work: Work): Promise<Hold | null> {
  const { withdrawal, config, version, memory } = work;
  const terms = config.withdraw;
  if (!terms.enabled) return PAUSED;
  if (await isHeldByFinding(cashier.pool, withdrawal)) return OPEN_FINDING;
  const facts = { approvals: withdrawal.approvedBy.length, needed: OPERATORS_NEEDED };
  const confirmed = await isConfirmed(cashier, withdrawal);
  const needsOperators: Hold = { code: confirmed ? 'needs-operators' : 'not-confirmed', facts };
  if (!isAutomatic({ ...withdrawal, confirmed }, terms)) return needsOperators;
  if (await denyFor(cashier, work)) return null;
  const over = await overVelocity(cashier, withdrawal, { config, memory });
  if (over) return { code: over, facts: {} };
  await cashier.at('before-approval');
  const reason = 'within the automatic bounds';
  const { withdrawal: id } = withdrawal;
  // The cashier approves only what no operator has.
  const approval = { withdrawal: id, by: ACTOR, reason, terms, operators: {} };
  const command = { type: 'ApproveWithdrawal', ...approval } as const;
  const executed = await execute(cashier, withdrawal, {
    idempotencyKey: `withdrawal:${id}:approval`,
    request: { approve: id },
    prepare: async () =>
      (await refuseStale(cashier, version)) ?? { command, configVersion: version },
  });
  if (executed.kind === 'done') {
    const { wallet, netMinor, feeMinor } = withdrawal;
    const one = { position: executed.position, wallet, grossMinor: netMinor + feeMinor };
    memory.approved = [...memory.approved, one];
  }
  await cashier.at('approved');
  if (executed.kind === 'done' && !executed.replayed) return pay(cashier, work);
  // The player is suspended, or an operator acted first.
  const refused = executed.kind === 'refused' ? executed.rejection.rejected : null;
  return refused === 'withdrawal-needs-operators' ? needsOperators : null;
}

/** Whether the address is the player's own wallet, or the player's signature names it. */
async function isConfirmed({ pool }: Cashier, { withdrawal, wallet, to }: Withdrawal) {
  if (to === wallet) return true;
  const { state } = await loadState(pool, playerDecider, playerStream(wallet));
  return openOf(state, withdrawal)?.confirmed ?? false;
}

/** Refuses a command whose configuration changed after the round began: the next round decides all of it again. */
async function refuseStale({ pool }: Cashier, version: number): Promise<Rejection | null> {
  return (await readConfig(pool)).version === version ? null : reject('config-moved');
}

const PAUSED: Hold = { code: 'paused', facts: {} };
const OPEN_FINDING: Hold = { code: 'open-finding', facts: {} };

/** Small withdrawals open no token account: its owner could close it repeatedly and keep the rent. */
function opensAccount({ withdrawal, config }: Pick<Work, 'withdrawal' | 'config'>): boolean {
  const { netMinor, feeMinor } = withdrawal;
  return netMinor + feeMinor >= config.withdraw.newAccountMinTokenMinor;
}

async function closedFault(chain: Cashier['chain'], work: Work): Promise<string | null> {
  if (opensAccount(work)) return null;
  const { rentLamports } = await findReceiver(chain, work.withdrawal.to);
  return rentLamports > 0n ? 'its-token-account-was-closed' : null;
}

/** Denies a withdrawal to an address that cannot receive it. @returns whether it was denied. */
async function denyFor(cashier: Cashier, work: Work): Promise<boolean> {
  const { withdrawal } = work;
  const { chain } = cashier;
  const fault = (await checkDestination(chain, withdrawal.to)) ?? (await closedFault(chain, work));
  if (!fault) return false;
  const { withdrawal: id } = withdrawal;
  const reason = `the address cannot receive it: ${fault.replaceAll('-', ' ')}`;
  const command = { type: 'DenyWithdrawal', withdrawal: id, by: ACTOR, reason } as const;
  await execute(cashier, withdrawal, {
    idempotencyKey: `withdrawal:${id}:denial`,
    request: { deny: id },
    prepare: async () => ({ command, configVersion: null }),
  });
  return true;
}

/** Signs, appends and sends. @returns why it waits, or null. */
async function pay(cashier: Cashier, work: Work): Promise<Hold | null> {
  const { withdrawal, config } = work;
  // First, even while withdrawals are paused: an attempt on the chain is a payment.
  const earlier = await recheck(cashier, withdrawal);
  if (earlier === 'paid') return null;
  if (earlier !== 'over') return earlier.wait;
  if (!config.withdraw.enabled) return PAUSED;
  if (await isHeldByFinding(cashier.pool, withdrawal)) return OPEN_FINDING;
  const { signer } = cashier;
  if (!signer) return { code: 'no-key', facts: {} };
  if (withdrawal.attempts >= ATTEMPTS_MAX) return giveUp(cashier, withdrawal);
  const wait = await shortage(cashier, work);
  if (wait) return wait;
  if (await denyFor(cashier, work)) return null;
  const signed = await signAndRecord(cashier, work, signer);
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
async function giveUp(cashier: Cashier, withdrawal: Withdrawal): Promise<Hold | null> {
  const { withdrawal: id } = withdrawal;
  const reason = `the chain did not accept it ${ATTEMPTS_MAX} times`;
  const command = { type: 'DenyWithdrawal', withdrawal: id, by: ACTOR, reason } as const;
  const executed = await execute(cashier, withdrawal, {
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

/** Signed amounts are reserved until they are sent. */
async function shortage(
  { chain, pool }: Cashier,
  { withdrawal, config, memory }: Work,
): Promise<Hold | null> {
  const { tokenMinor, lamports } = await chain.treasury();
  const { reached, netMinor: shownMinor } = await readSigned(pool);
  memory.signed = memory.signed.filter(({ position }) => position > reached);
  const reservedMinor = memory.signed.reduce((sum, { netMinor }) => sum + netMinor, shownMinor);
  if (tokenMinor - reservedMinor < withdrawal.netMinor)
    return { code: 'treasury-short', facts: {} };
  const isLow = lamports < BigInt(config.withdraw.lowWaterLamports);
  return isLow ? { code: 'treasury-low-on-sol', facts: {} } : null;
}

/** @returns the recorded attempt, of this cashier or another; null if none is allowed. */
async function signAndRecord(
  cashier: Cashier,
  { withdrawal, config, version, memory }: Work,
  signer: Signer,
): Promise<WithdrawalSigned['data'] | null> {
  const { chain } = cashier;
  const { withdrawal: id, to, netMinor: amountMinor } = withdrawal;
  const attempt = withdrawal.attempts + 1;
  let signed: SignedTransfer | null = null;
  const executed = await execute(cashier, withdrawal, {
    idempotencyKey: `withdrawal:${id}:attempt:${attempt}`,
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
      const opens = opensAccount({ withdrawal, config });
      const transfer = { signer, to, amountMinor, memo: id, opensAccount: opens };
      signed ??= await signTransfer(chain, transfer);
      const { bytes: transaction, ...rest } = signed;
      await cashier.at('signed-not-recorded');
      const terms = config.withdraw;
      const command = {
        type: 'SignWithdrawal',
        withdrawal: id,
        attempt,
        transaction,
        terms,
      } as const;
      return { command: { ...command, ...rest }, configVersion: version };
    },
  });
  if (executed.kind !== 'done') return null;
  memory.signed = [...memory.signed, { position: executed.position, netMinor: amountMinor }];
  const found = executed.events.find(({ event }) => event.type === 'WithdrawalSigned');
  const recorded = (found?.event as WithdrawalSigned | undefined)?.data ?? null;
  if (recorded) {
    cashier.log.info({ withdrawal: id, transaction: recorded.signature }, 'a withdrawal is signed');
  }
  return recorded;
}
