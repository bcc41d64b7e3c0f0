/**
 * The open withdrawals, each taken as far as it goes now. The order of the steps is what keeps a withdrawal from being paid
 * twice, and every arrow may be a crash:
 *
 *   sign -> append WithdrawalSigned -> send -> the chain says final -> append WithdrawalFinalized
 *
 * Nothing is sent that does not stand in the ledger. Whoever comes after a crash, or beside us, sends the very bytes that
 * stand there: they land once at most. A crash before the append leaves a signature that nobody ever saw. A new
 * signature needs the old one's end: it landed and failed, or its blockhash is dead at finalized and the nodes asked
 * have not seen it. No answer, a timeout and a refusal to take it are no end.
 */
import type { Config } from '@reelbook/ledger/config/config';
import type { Hold } from '@reelbook/ledger/holds';
import type { WithdrawalSigned } from '@reelbook/ledger/player/payment-events';
import { isAutomatic, OPERATORS_NEEDED } from '@reelbook/ledger/player/withdrawal';
import { openOf } from '@reelbook/ledger/player/withdrawals';
import { reject } from '@reelbook/ledger/rejections';
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
import { follow, lookBack } from './follow.ts';
import { type Approved, overVelocity } from './velocity.ts';

/**
 * What one round processes. Signed withdrawals come first, so that a long queue does not delay them; of the others there
 * are few, so that the next round starts soon. Those that wait for a reason are looked at apart: however many they are, a
 * new one is not behind them.
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
/** Attempts of one withdrawal; then a person looks why the chain does not take it. */
const ATTEMPTS_MAX = 5;

/** What the cashier remembers between rounds. Losing it costs patience, never money. */
export interface Memory {
  /** Of the ledger when this memory began: the read model has what was approved before only from here on. */
  readonly beganAt: number;
  /** What was approved since and the read model may not show yet. */
  approved: readonly Approved[];
  /** By part of the round, the last one that was looked at, when there are more: the next round goes on behind it. */
  readonly after: (QueuePlace | null)[];
  /** What was signed and the read model may not show yet: it is spoken for already. */
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
      // One that cannot be taken on now must not keep the others waiting; the next round tries it again.
      log.warn({ err: error, withdrawal: withdrawal.withdrawal }, 'a withdrawal did not get on');
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
  const facts = { approvals: withdrawal.approvedBy.length, needed: OPERATORS_NEEDED };
  const needsOperators: Hold = { code: 'needs-operators', facts };
  if (!isAutomatic(withdrawal, terms)) return needsOperators;
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
    prepare: async () => ({ command, configVersion: version }),
  });
  if (executed.kind === 'done') {
    const { wallet, netMinor, feeMinor } = withdrawal;
    const one = { position: executed.position, wallet, grossMinor: netMinor + feeMinor };
    memory.approved = [...memory.approved, one];
  }
  await cashier.at('approved');
  if (executed.kind === 'done' && !executed.replayed) return pay(cashier, work);
  // The player is suspended, or an operator was faster.
  const refused = executed.kind === 'refused' ? executed.rejection.rejected : null;
  return refused === 'withdrawal-needs-operators' ? needsOperators : null;
}

const PAUSED: Hold = { code: 'paused', facts: {} };

/** A small one opens no account: its owner would close it again and again, and keep the rent that the treasury paid. */
function opensAccount({ withdrawal, config }: Pick<Work, 'withdrawal' | 'config'>): boolean {
  const { netMinor, feeMinor } = withdrawal;
  return netMinor + feeMinor >= config.withdraw.newAccountMinTokenMinor;
}

async function closedFault(chain: Cashier['chain'], work: Work): Promise<string | null> {
  if (opensAccount(work)) return null;
  const { rentLamports } = await findReceiver(chain, work.withdrawal.to);
  return rentLamports > 0n ? 'its-token-account-was-closed' : null;
}

/** An address that cannot take it gives the money back: sent there, it would be lost. @returns whether it did. */
async function denyFor(cashier: Cashier, work: Work): Promise<boolean> {
  const { withdrawal } = work;
  const { chain } = cashier;
  const fault = (await checkDestination(chain, withdrawal.to)) ?? (await closedFault(chain, work));
  if (!fault) return false;
  const { withdrawal: id } = withdrawal;
  const reason = `the address cannot take it: ${fault.replaceAll('-', ' ')}`;
  const command = { type: 'DenyWithdrawal', withdrawal: id, by: ACTOR, reason } as const;
  await execute(cashier, withdrawal, {
    idempotencyKey: `withdrawal:${id}:denial`,
    request: { deny: id },
    prepare: async () => ({ command, configVersion: null }),
  });
  return true;
}

/** Signs, ledgers and sends; or says why not now. */
async function pay(cashier: Cashier, work: Work): Promise<Hold | null> {
  const { withdrawal, config } = work;
  // First of all, whatever is switched off: what is on the chain is paid.
  const earlier = await lookBack(cashier, withdrawal);
  if (earlier === 'paid') return null;
  if (earlier !== 'over') return earlier.wait;
  if (!config.withdraw.enabled) return PAUSED;
  const { signer } = cashier;
  if (!signer) return { code: 'no-key', facts: {} };
  if (withdrawal.attempts >= ATTEMPTS_MAX) return giveUp(cashier, withdrawal);
  const wait = await shortage(cashier, work);
  if (wait) return wait;
  if (await denyFor(cashier, work)) return null;
  const signed = await signAndRecord(cashier, work, signer);
  if (!signed) return null;
  await cashier.at('signed-booked');
  await cashier.chain.send(signed.transaction);
  await cashier.at('sent');
  return null;
}

/**
 * Operators decide what becomes of it; but where the last attempt is dead by an operator's word they may not give it
 * back, and the cashier, who has just looked, does.
 */
async function giveUp(cashier: Cashier, withdrawal: Withdrawal): Promise<Hold | null> {
  const { withdrawal: id } = withdrawal;
  const reason = `the chain did not take it ${ATTEMPTS_MAX} times`;
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

/** What is signed and not gone yet is spoken for. */
async function shortage(
  { chain, pool }: Cashier,
  { withdrawal, config, memory }: Work,
): Promise<Hold | null> {
  const { tokenMinor, lamports } = await chain.treasury();
  const { reached, netMinor: shownMinor } = await readSigned(pool);
  memory.signed = memory.signed.filter(({ position }) => position > reached);
  const spokenMinor = memory.signed.reduce((sum, { netMinor }) => sum + netMinor, shownMinor);
  if (tokenMinor - spokenMinor < withdrawal.netMinor) return { code: 'treasury-short', facts: {} };
  const isLow = lamports < BigInt(config.withdraw.lowWaterLamports);
  return isLow ? { code: 'treasury-low-on-sol', facts: {} } : null;
}

/** @returns the attempt that stands in the ledger, ours or that of whoever was first; null when none may be made. */
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
    // Not the bytes: whoever comes second gets the first one's.
    request: { sign: id, attempt },
    async prepare(state) {
      const open = openOf(state, id);
      if (open?.stage !== 'approved' || open.attempts + 1 !== attempt) {
        return reject('withdrawal-not-approved', { stage: open?.stage ?? 'over' });
      }
      // Signed once, however often the state moves on beneath: one attempt has one signature.
      const opens = opensAccount({ withdrawal, config });
      const transfer = { signer, to, amountMinor, memo: id, opensAccount: opens };
      signed ??= await signTransfer(chain, transfer);
      const { bytes: transaction, ...rest } = signed;
      await cashier.at('signed-not-booked');
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
  const booked = (found?.event as WithdrawalSigned | undefined)?.data ?? null;
  if (booked) {
    cashier.log.info({ withdrawal: id, transaction: booked.signature }, 'a withdrawal is signed');
  }
  return booked;
}
