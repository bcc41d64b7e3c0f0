/**
 * The withdrawals that are under way, each taken one step on. The order of the steps is what keeps a withdrawal from
 * being paid twice, and every arrow may be a crash:
 *
 *   sign -> append WithdrawalSigned -> send -> the chain says final -> append WithdrawalFinalized
 *
 * Nothing is sent that does not stand in the book. Whoever comes after a crash, or beside us, sends the very bytes that
 * stand there: they land once at most. A crash before the append leaves a signature that nobody ever saw. A new
 * signature needs the old one's end: it landed and failed, or its blockhash is dead at finalized and the nodes asked
 * have not seen it. No answer, a timeout and a refusal to take it are no end.
 */
import type { Config } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PaymentCommand } from '@reelbook/ledger/player/payment-commands';
import type { WithdrawalSigned } from '@reelbook/ledger/player/payment-events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isAutomatic } from '@reelbook/ledger/player/withdrawal';
import { openOf } from '@reelbook/ledger/player/withdrawals';
import { type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { setHold } from '@reelbook/payments/holds';
import { NotThereYet } from '@reelbook/projections/projection';
import {
  readOpenWithdrawals,
  readVelocity,
  type Velocity,
  type Withdrawal,
} from '@reelbook/projections/withdrawals/read';
import { checkDestination } from '@reelbook/solana/destination';
import type { Signer } from '@reelbook/solana/keys';
import { type SignedTransfer, signTransfer } from '@reelbook/solana/send-transfer';
import { ACTOR, type Cashier, metaOf, readConfig } from './context.ts';

/** Withdrawals that one round takes a step on. */
const PER_ROUND = 200;
/** Attempts of one withdrawal; then a person looks why the chain does not take it. */
export const ATTEMPTS_MAX = 5;

/** What the cashier remembers between rounds. Losing it costs patience, never money. */
export interface Memory {
  /** Velocity is counted from a read model: it must have come this far, or the latest would be missing. */
  approvedPosition: number;
}

/** Why a withdrawal waits, in words that players and operators see; null: it does not. */
type Hold = string | null;

export async function workWithdrawals(cashier: Cashier, memory: Memory): Promise<void> {
  const { pool, log } = cashier;
  const { config, version } = await readConfig(pool);
  const open = await readOpenWithdrawals(pool, { limit: PER_ROUND });
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

async function step(cashier: Cashier, work: Work): Promise<Hold> {
  switch (work.withdrawal.status) {
    case 'requested':
      return approve(cashier, work);
    case 'approved':
      return pay(cashier, work);
    case 'signed':
      return follow(cashier, work);
    default:
      return null;
  }
}

async function approve(cashier: Cashier, work: Work): Promise<Hold> {
  const { withdrawal, config, version, memory } = work;
  const terms = config.withdraw;
  if (!terms.enabled) return PAUSED;
  if (!isAutomatic(withdrawal, terms)) {
    return `it waits for operators: ${withdrawal.approvedBy.length} of 2 have approved it`;
  }
  if (await denyFor(cashier, work)) return null;
  const velocity = await readVelocity(cashier.pool, {
    wallet: withdrawal.wallet,
    position: memory.approvedPosition,
  }).catch((error: unknown) => {
    if (error instanceof NotThereYet) return null;
    throw error;
  });
  if (!velocity) return 'the sums of the last hours are being caught up with';
  const over = overVelocity(withdrawal, velocity, config);
  if (over) return over;
  await cashier.at('before-approval');
  const reason = 'within the automatic bounds';
  const { withdrawal: id } = withdrawal;
  const command = { type: 'ApproveWithdrawal', withdrawal: id, by: ACTOR, reason, terms } as const;
  const executed = await execute(cashier, withdrawal, {
    claim: `withdrawal:${id}:approval`,
    request: { approve: id },
    prepare: async () => ({ command, configVersion: version }),
  });
  if (executed.kind === 'done') {
    memory.approvedPosition = Math.max(memory.approvedPosition, executed.position);
  }
  await cashier.at('approved');
  return null;
}

const PAUSED = 'withdrawals are paused by the operators';

function overVelocity(
  { netMinor, feeMinor }: Withdrawal,
  velocity: Velocity,
  { withdraw }: Config,
): Hold {
  const gross = netMinor + feeMinor;
  const over =
    (velocity.playerHourMinor + gross > withdraw.playerHourMaxTokenMinor && "this player's hour") ||
    (velocity.playerDayMinor + gross > withdraw.playerDayMaxTokenMinor && "this player's day") ||
    (velocity.hourMinor + gross > withdraw.hourMaxTokenMinor && "everybody's hour") ||
    (velocity.dayMinor + gross > withdraw.dayMaxTokenMinor && "everybody's day");
  return over ? `more than is paid without operators: ${over} is used up` : null;
}

/** An address that cannot take it gives the money back: sent there, it would be lost. @returns whether it did. */
async function denyFor(cashier: Cashier, { withdrawal }: Work): Promise<boolean> {
  const fault = await checkDestination(cashier.chain, withdrawal.to);
  if (!fault) return false;
  const { withdrawal: id } = withdrawal;
  const reason = `the address cannot take it: ${fault.replaceAll('-', ' ')}`;
  const command = { type: 'DenyWithdrawal', withdrawal: id, by: ACTOR, reason } as const;
  await execute(cashier, withdrawal, {
    claim: `withdrawal:${id}:denial`,
    request: { deny: id },
    prepare: async () => ({ command, configVersion: null }),
  });
  return true;
}

/** Signs, books and sends; or says why not now. */
async function pay(cashier: Cashier, work: Work): Promise<Hold> {
  const { withdrawal, config } = work;
  if (!config.withdraw.enabled) return PAUSED;
  const { signer } = cashier;
  if (!signer) return 'this cashier has no key of the treasury';
  if (withdrawal.attempts >= ATTEMPTS_MAX) {
    return `the chain did not take it ${ATTEMPTS_MAX} times; an operator looks at it`;
  }
  const short = await shortage(cashier, work);
  if (short) return short;
  if (await denyFor(cashier, work)) return null;
  const signed = await signAndBook(cashier, work, signer);
  if (!signed) return null;
  await cashier.at('signed-booked');
  await cashier.chain.send(signed.transaction);
  await cashier.at('sent');
  return null;
}

/** What is signed and not gone yet is spoken for. */
async function shortage({ chain, pool }: Cashier, { withdrawal, config }: Work): Promise<Hold> {
  const { tokenMinor, lamports } = await chain.treasury();
  const open = await readOpenWithdrawals(pool, { limit: PER_ROUND });
  const spokenMinor = open
    .filter(({ status }) => status === 'signed')
    .reduce((sum, { netMinor }) => sum + netMinor, 0n);
  if (tokenMinor - spokenMinor < withdrawal.netMinor)
    return 'the treasury holds too little BSM now';
  if (lamports < BigInt(config.withdraw.lowWaterLamports)) {
    return 'the treasury is below its low-water mark of SOL';
  }
  return null;
}

/** @returns the attempt that stands in the book, ours or that of whoever was first; null when none may be made. */
async function signAndBook(
  cashier: Cashier,
  { withdrawal, config, version }: Work,
  signer: Signer,
): Promise<WithdrawalSigned['data'] | null> {
  const { chain } = cashier;
  const { withdrawal: id, to, netMinor: amountMinor } = withdrawal;
  const attempt = withdrawal.attempts + 1;
  let signed: SignedTransfer | null = null;
  const executed = await execute(cashier, withdrawal, {
    claim: `withdrawal:${id}:attempt:${attempt}`,
    // Not the bytes: whoever comes second gets the first one's.
    request: { sign: id, attempt },
    async prepare(state) {
      const open = openOf(state, id);
      if (open?.stage !== 'approved' || open.attempts + 1 !== attempt) {
        return reject('withdrawal-not-approved', { stage: open?.stage ?? 'over' });
      }
      // Signed once, however often the state moves on beneath: one attempt has one signature.
      signed ??= await signTransfer(chain, { signer, to, amountMinor, memo: id });
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
  const booked = executed.events.find(({ event }) => event.type === 'WithdrawalSigned');
  return (booked?.event as WithdrawalSigned | undefined)?.data ?? null;
}

/** Looks what became of the attempt in the book; sends its very bytes again while it can land. */
async function follow(cashier: Cashier, { withdrawal }: Work): Promise<Hold> {
  const { chain } = cashier;
  const { signature, transaction, lastValidBlockHeight, signedSlot } = withdrawal;
  if (signature === null || transaction === null || lastValidBlockHeight === null) {
    throw new Error(`${withdrawal.withdrawal} is signed and its bytes are not there`);
  }
  const status = await chain.status(signature, lastValidBlockHeight);
  switch (status.kind) {
    case 'finalized':
      await cashier.at('seen-final');
      await finalize(cashier, withdrawal, { signature, slot: status.slot });
      await cashier.at('final-booked');
      return null;
    case 'failed':
      await cashier.at('seen-failed');
      await fail(cashier, withdrawal, { outcome: 'failed', evidence: status.error });
      await cashier.at('failure-booked');
      return null;
    case 'landed':
      return null;
    case 'unknown': {
      if (status.canLand) {
        await chain.send(transaction);
        await cashier.at('sent');
        return null;
      }
      const absence = await chain.absence(signature, lastValidBlockHeight, signedSlot ?? 0);
      const sure = absence.nodes.filter(
        ({ says }) => typeof says === 'object' && says.kind === 'unknown' && !says.canLand,
      );
      if (sure.length < absence.nodes.length || sure.length < cashier.witnesses) {
        return 'it expired, and it is not certain that it never landed; an operator looks at it';
      }
      await cashier.at('seen-expired');
      const evidence = `expired and not seen by ${sure.map(({ node }) => node).join(', ')}`;
      await fail(cashier, withdrawal, { outcome: 'expired', evidence });
      await cashier.at('expiry-booked');
      return null;
    }
  }
}

async function finalize(
  cashier: Cashier,
  withdrawal: Withdrawal,
  o: { readonly signature: string; readonly slot: number },
): Promise<void> {
  const { withdrawal: id } = withdrawal;
  const command = { type: 'FinalizeWithdrawal', withdrawal: id, ...o } as const;
  const executed = await execute(cashier, withdrawal, {
    claim: `withdrawal:${id}:final`,
    request: { final: id },
    prepare: async () => ({ command, configVersion: null }),
  });
  if (executed.kind === 'done' && !executed.replayed) {
    cashier.log.info({ withdrawal: id, ...o }, 'a withdrawal is paid');
  }
}

async function fail(
  cashier: Cashier,
  withdrawal: Withdrawal,
  o: { readonly outcome: 'failed' | 'expired'; readonly evidence: string },
): Promise<void> {
  const { withdrawal: id, signature, attempts } = withdrawal;
  const blockHeight = await cashier.chain.read('getBlockHeight', (node) =>
    node.getBlockHeight('finalized'),
  );
  const over = { ...o, evidence: plain(o.evidence), signature: signature ?? '', blockHeight };
  const command = { type: 'FailWithdrawalAttempt', withdrawal: id, ...over } as const;
  await execute(cashier, withdrawal, {
    claim: `withdrawal:${id}:attempt:${attempts}:over`,
    request: { over: id, attempt: attempts },
    prepare: async () => ({ command, configVersion: null }),
  });
  cashier.log.warn({ withdrawal: id, ...o }, 'an attempt is over');
}

const EVIDENCE_MAX_LENGTH = 300;

/** A node's words as the book takes them. */
function plain(text: string): string {
  const shown = text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, EVIDENCE_MAX_LENGTH);
  return shown.trim() === '' ? 'no words' : shown;
}

/** A refusal here means that the book has moved on beneath the read model: the next round sees it. */
async function execute(
  { spine }: Cashier,
  { wallet, withdrawal }: Withdrawal,
  o: {
    readonly claim: string;
    readonly request: unknown;
    prepare(
      state: PlayerState,
    ): Promise<{ command: PaymentCommand; configVersion: number | null } | Rejection>;
  },
) {
  return spine.execute<PlayerState, PaymentCommand, PlayerEvent & LedgerEvent>({
    decider: playerDecider,
    stream: playerStream(wallet),
    meta: metaOf(withdrawal),
    ...o,
  });
}
