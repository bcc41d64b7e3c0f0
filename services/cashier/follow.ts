import { type Execution, findIdempotencyKey, hashKey } from '@reelbook/event-store/execution';
import { readCommand } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { Hold } from '@reelbook/ledger/holds';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PaymentCommand } from '@reelbook/ledger/player/payment-events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { type OpenWithdrawal, openOf } from '@reelbook/ledger/player/withdrawal-state';
import { playerStream } from '@reelbook/ledger/streams';
import type { QueuedWithdrawal } from '@reelbook/projections/withdrawals/queue';
import { type Absence, endOf, isAbsent } from '@reelbook/solana/landing';
import type { SignedTransfer } from '@reelbook/solana/transaction';
import { providersNeeded } from './classify.ts';
import { type Cashier, metaOf } from './context.ts';

/** An open withdrawal as the events have it. */
export interface Due extends OpenWithdrawal {
  readonly wallet: string;
}

/** Null if it is over: the read model that found it lags. */
export async function readDue(
  { prove }: Pick<Cashier, 'prove'>,
  { wallet, withdrawal }: Pick<QueuedWithdrawal, 'wallet' | 'withdrawal'>,
): Promise<Due | null> {
  const { state } = await prove(playerDecider, playerStream(wallet));
  const open = openOf(state, withdrawal);
  return open && { ...open, wallet };
}

/**
 * Decides a command on a state that is proven by the events. A refusal means that another decision was first; the next round
 * reads it again. Throws `StateDiffers`.
 */
export function execute(
  { proving }: Pick<Cashier, 'proving'>,
  { wallet, withdrawal }: Due,
  o: Pick<
    Execution<PlayerState, PaymentCommand, PlayerEvent & LedgerEvent>,
    'idempotencyKey' | 'request' | 'prepare'
  >,
) {
  const stream = playerStream(wallet);
  return proving.execute({ ...o, decider: playerDecider, stream, meta: metaOf(withdrawal) });
}

/** Checks the recorded attempt on the chain, and sends the same bytes again while it can land. @returns why it waits. */
export async function follow(cashier: Cashier, due: Due): Promise<Hold | null> {
  const { chain } = cashier;
  const signed = await readAttempt(cashier, due);
  const status = await chain.status(signed);
  switch (status.kind) {
    case 'finalized':
    case 'failed':
      return end(cashier, due, signed);
    case 'landed':
      return null;
    case 'unknown': {
      if (status.canLand) {
        await chain.send(signed.bytes);
        await cashier.at('sent');
        return null;
      }
      const { witnesses, nodes } = await chain.absence(signed);
      if (witnesses < cashier.witnesses) {
        return { code: 'end-uncertain', facts: {} };
      }
      await cashier.at('seen-expired');
      const evidence = `expired and not seen by ${nodes.map(({ node }) => node).join(', ')}`;
      await fail(cashier, due, { outcome: 'expired', evidence });
      await cashier.at('expiry-recorded');
      return null;
    }
  }
}

/** Records the end that enough providers report. Until then the bytes are sent to another node: this one may have kept them. */
async function end(cashier: Cashier, due: Due, signed: SignedTransfer): Promise<Hold | null> {
  const { chain } = cashier;
  const { signature, bytes } = signed;
  const absence = await chain.absence(signed);
  const agreed = endOf(absence, providersNeeded(cashier));
  if (!agreed) {
    if (isOnItsWay(absence) || absence.nodes.some(({ report }) => report === 'away')) return null;
    chain.turn();
    await chain.send(bytes);
    return { code: 'end-uncertain', facts: {} };
  }
  if (agreed.kind === 'finalized') {
    await cashier.at('seen-final');
    await finalize(cashier, due, { signature, slot: agreed.slot });
    await cashier.at('final-recorded');
  } else {
    await cashier.at('seen-failed');
    await fail(cashier, due, { outcome: 'failed', evidence: agreed.error });
    await cashier.at('failure-recorded');
  }
  return null;
}

/** Whether another node has it in a block that is not final there yet. */
const isOnItsWay = ({ nodes }: Absence) =>
  nodes.some(({ report }) => typeof report === 'object' && report.kind === 'landed');

/**
 * Checks an attempt that the ledger records as failed, before the next one is signed and before its money is returned.
 * Operators or nodes may have been wrong, and a second payment would be lost. If the chain has the attempt, the withdrawal
 * is finalized.
 * @returns `over` if no node has seen it and every node with the relevant history reports that it cannot land.
 */
export async function recheck(
  cashier: Cashier,
  due: Due,
): Promise<'over' | 'paid' | { readonly wait: Hold }> {
  if (due.attempts === 0) return 'over';
  const signed = await readAttempt(cashier, due);
  const absence = await cashier.chain.absence(signed);
  const agreed = endOf(absence, providersNeeded(cashier));
  if (agreed?.kind === 'finalized') {
    await cashier.at('seen-final');
    await finalize(cashier, due, { signature: signed.signature, slot: agreed.slot });
    return 'paid';
  }
  const reports = absence.nodes.map(({ report }) => report);
  const isOver = reports.every(
    (report) =>
      report === 'pruned' || isAbsent(report) || (report !== 'away' && report.kind === 'failed'),
  );
  if (isOver && reports.some((report) => report !== 'pruned')) return 'over';
  return { wait: { code: 'may-still-land', facts: {} } };
}

export const attemptKey = (withdrawal: string, attempt: number) =>
  `withdrawal:${withdrawal}:attempt:${attempt}`;

/** The last attempt, from its event. */
async function readAttempt(
  { pool }: Pick<Cashier, 'pool'>,
  { wallet, withdrawal, attempts }: Due,
): Promise<SignedTransfer> {
  const used = await findIdempotencyKey(pool, hashKey(attemptKey(withdrawal, attempts)));
  assert(used, `attempt ${attempts} of ${withdrawal} is recorded`);
  const [first] = await readCommand(pool, used.position);
  assert(
    first?.event.type === 'WithdrawalSigned' &&
      first.stream === playerStream(wallet) &&
      first.event.data.withdrawal === withdrawal &&
      first.event.data.attempt === attempts,
    `#${used.position} is attempt ${attempts} of ${withdrawal}`,
  );
  const { transaction: bytes, ...signed } = first.event.data;
  return { ...signed, bytes };
}

async function finalize(
  cashier: Cashier,
  due: Due,
  o: { readonly signature: string; readonly slot: number },
): Promise<void> {
  const { withdrawal: id } = due;
  const command = { type: 'FinalizeWithdrawal', withdrawal: id, ...o } as const;
  const executed = await execute(cashier, due, {
    idempotencyKey: `withdrawal:${id}:final`,
    request: { final: id },
    prepare: async () => ({ command, configVersion: null }),
  });
  if (executed.kind === 'done' && !executed.replayed) {
    const { signature: transaction, slot } = o;
    cashier.log.info({ withdrawal: id, transaction, slot }, 'a withdrawal is paid');
  }
}

async function fail(
  cashier: Cashier,
  due: Due,
  o: { readonly outcome: 'failed' | 'expired'; readonly evidence: string },
): Promise<void> {
  const { withdrawal: id, live, attempts } = due;
  const signature = live?.signature ?? '';
  const blockHeight = await cashier.chain.read('getBlockHeight', (node) =>
    node.getBlockHeight('finalized'),
  );
  const over = { ...o, evidence: plain(o.evidence), signature, blockHeight };
  const command = { type: 'FailWithdrawalAttempt', withdrawal: id, ...over } as const;
  await execute(cashier, due, {
    idempotencyKey: `${attemptKey(id, attempts)}:over`,
    request: { over: id, attempt: attempts },
    prepare: async () => ({ command, configVersion: null }),
  });
  cashier.log.warn({ withdrawal: id, transaction: signature, ...o }, 'an attempt is over');
}

const EVIDENCE_MAX_LENGTH = 300;

/** A node's error as text that the ledger accepts. */
function plain(text: string): string {
  const shown = text.replace(/[^\x20-\x7e]+/g, ' ').slice(0, EVIDENCE_MAX_LENGTH);
  return shown.trim() === '' ? 'no text' : shown;
}
