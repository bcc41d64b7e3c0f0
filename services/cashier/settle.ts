import { openClock } from '@reelbook/event-store/clock';
import { readEvent } from '@reelbook/event-store/read-log';
import { assert } from '@reelbook/ledger/assert';
import type { Config } from '@reelbook/ledger/config/config';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { CreditDeposit } from '@reelbook/ledger/player/payment-events';
import { playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { isDust } from '@reelbook/ledger/treasury/dust';
import {
  type Arrival,
  addMovement,
  depositKey,
  type Movement,
  markRecorded,
  postpone,
  readArrival,
  readDue,
  readMatchable,
  readMovement,
  readResolved,
  readScan,
  removeMovement,
  sumOneProvider,
} from '@reelbook/payments/movements';
import { readConfig, resolveMovement } from '@reelbook/payments/operator-actions';
import { type Report as DueReport, readDueReports, settleReport } from '@reelbook/payments/reports';
import type { Report } from '@reelbook/solana/rpc';
import { verifyTransfer } from '@reelbook/solana/verify-transfer';
import { agree, classify, type Dust, type Evidence, providersNeeded, Waits } from './classify.ts';
import { ACTOR, type Cashier, metaOf } from './context.ts';

/** Movements of one round: new ones, and as many that have waited. Few, because all are read from the chain at once. */
const PER_ROUND = 25;
/** Unmatched deposits of one round. */
const UNMATCHED_PER_ROUND = 100;

/** Records each movement in the ledger as the chain has it, once by its idempotency key. Dust is collected in `dust`. */
export async function settleMovements(cashier: Cashier, dust: Dust): Promise<void> {
  const { pool, terms, log } = cashier;
  const { tokenAccount } = terms;
  const due = await readDue(pool, { tokenAccount, limit: PER_ROUND, known: [...dust.keys()] });
  // All at once: a node that does not respond delays the round by one timeout.
  const found = await Promise.allSettled(due.map((movement) => gather(cashier, movement)));
  for (const [index, movement] of due.entries()) {
    await cashier.hold();
    const { signature } = movement;
    try {
      const gathered = found[index];
      if (gathered?.status !== 'fulfilled') throw gathered?.reason;
      await settle(cashier, movement, { gathered: gathered.value, dust });
    } catch (error) {
      // A failure must not block the other movements; a later round retries it.
      if (error instanceof Waits) await wait(cashier, movement, error);
      else {
        log.error({ err: error, signature }, 'a movement could not be recorded');
        await postpone(pool, movement, 'failed');
      }
    }
  }
}

/** What the ledger has of it; the reports of all nodes if it has nothing. */
async function gather(
  { pool, chain }: Cashier,
  movement: Movement,
): Promise<Arrival | readonly Report[]> {
  return (await readArrival(pool, movement)) ?? (await chain.reports(movement.signature));
}

async function wait(cashier: Cashier, movement: Movement, { code }: Waits): Promise<void> {
  await postpone(cashier.pool, movement, code);
  const { signature, reason } = movement;
  if (reason !== code) cashier.log.warn({ transaction: signature, code }, 'a transaction waits');
}

async function settle(
  cashier: Cashier,
  movement: Movement,
  { gathered, dust }: { readonly gathered: Arrival | readonly Report[]; readonly dust: Dust },
): Promise<void> {
  const isKnown = 'kind' in gathered;
  if (!isKnown) {
    const evidence = agree(gathered, cashier.terms);
    if (!(await record(cashier, movement, { evidence, dust }))) return;
  }
  const arrival = isKnown ? gathered : await readArrival(cashier.pool, movement);
  assert(arrival, 'a recorded arrival is in the ledger');
  await cashier.at('movement-appended');
  await markRecorded(cashier.pool, movement, arrival);
  const { kind, sender: wallet } = arrival;
  const { signature } = movement;
  if (kind === 'deposit' && wallet !== null) {
    await settleReport(cashier.pool, { wallet, signature }, { status: 'completed' });
  }
  await cashier.at('movement-recorded');
}

/** Records a movement as the chain has it. @returns false if it is no arrival, or not yet recorded. */
async function record(
  cashier: Cashier,
  stored: Movement,
  { evidence, dust }: { readonly evidence: Evidence; readonly dust: Dust },
): Promise<boolean> {
  const { pool, terms, log } = cashier;
  const { transaction, providers } = evidence;
  const movement = await classify(cashier, transaction);
  const opening = (await readScan(pool, terms.tokenAccount))?.openingSlot ?? 0;
  const isAlone = providers < providersNeeded(cashier);
  const counts = movement !== null && movement.slot > opening;
  if (counts && movement.kind === 'deposit') {
    const { sender: wallet, deltaMinor: amountMinor } = movement;
    assert(wallet, 'a deposit has a sender');
    const idempotencyKey = depositKey(movement);
    await credit(
      cashier,
      { ...movement, amountMinor, wallet, idempotencyKey, from: 'chain' },
      isAlone,
    );
    return true;
  }
  // The report of one provider alone moves nothing else.
  if (isAlone) throw new Waits('one-provider');
  if (!counts) {
    log.info({ transaction: stored.signature }, 'a transaction moved nothing of the treasury');
    await removeMovement(pool, stored);
    return false;
  }
  if (movement.kind === 'dust') {
    await addMovement(pool, movement);
    const { signature, slot, deltaMinor: amountMinor, sender } = movement;
    dust.set(signature, { signature, slot, amountMinor, sender });
    return false;
  }
  if (movement.kind === 'unmatched') await queue(cashier, movement);
  else await addMovement(pool, movement);
  return movement.kind === 'unmatched';
}

type Credited = Pick<
  CreditDeposit,
  'signature' | 'tokenAccount' | 'slot' | 'amountMinor' | 'from'
> & {
  readonly wallet: string;
  readonly idempotencyKey: string;
};

async function credit(
  cashier: Cashier,
  { wallet, idempotencyKey, signature, tokenAccount, slot, amountMinor, from }: Credited,
  isAlone: boolean,
): Promise<void> {
  const { executor, pool, log } = cashier;
  const executed = await executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey,
    request: { signature, wallet },
    meta: metaOf(signature),
    async prepare() {
      const { config, version } = await readConfig(pool);
      if (isAlone) await assertWithinSums(cashier, config, { wallet, amountMinor });
      return {
        command: {
          type: 'CreditDeposit' as const,
          signature,
          tokenAccount,
          slot,
          amountMinor,
          from,
          ...(isAlone ? { providers: 1 as const } : {}),
          isDust: from === 'chain' && isDust(amountMinor, config.deposit),
          nowMs: await openClock(pool).agreedMs(),
        },
        configVersion: version,
      };
    },
  });
  assert(executed.kind === 'done', `a credit is never refused: ${executed.kind}`);
  if (executed.replayed) return;
  log.info({ transaction: signature, position: executed.position }, 'credited');
}

/**
 * One provider's report is worth as much as one operator's adjustment: the sums of 24 hours, for one player and for all. So an
 * outage of the other providers does not delay small deposits, and an invented deposit is small.
 */
async function assertWithinSums(
  { pool }: Cashier,
  { adjust }: Config,
  { wallet, amountMinor }: Pick<Credited, 'wallet' | 'amountMinor'>,
): Promise<void> {
  const { playerMinor, siteMinor } = await sumOneProvider(pool, wallet);
  const isWithin =
    playerMinor + amountMinor <= adjust.singleOperatorMaxTokenMinor &&
    siteMinor + amountMinor <= adjust.operatorDayMaxTokenMinor;
  if (!isWithin) throw new Waits('one-provider');
}

async function queue({ executor, log }: Cashier, movement: Movement): Promise<void> {
  const { signature, tokenAccount, slot, deltaMinor: amountMinor, sender } = movement;
  const reason = movement.reason ?? 'unknown';
  const executed = await executor.execute({
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: depositKey(movement),
    request: { signature },
    meta: metaOf(signature),
    prepare: async () => ({
      command: {
        type: 'SeeUnmatchedDeposit' as const,
        signature,
        tokenAccount,
        slot,
        amountMinor,
        sender,
        reason,
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', `an arrival is never refused: ${executed.kind}`);
  if (!executed.replayed)
    log.warn({ transaction: signature, reason }, 'an unmatched deposit awaits review');
}

/** Resolves deposits whose senders have registered, and credits resolved deposits: as the ledger has them. */
export async function settleUnmatched(cashier: Cashier): Promise<void> {
  const { pool } = cashier;
  for (const movement of await readMatchable(pool, UNMATCHED_PER_ROUND)) {
    const to = `player:${movement.sender}`;
    const reason = 'the sender has become a player';
    const act = { by: ACTOR, reason, correlation: movement.signature };
    await resolveMovement(cashier, movement, { to, ...act });
  }
  for (const movement of await readResolved(pool, UNMATCHED_PER_ROUND)) {
    const resolved = (await readEvent(pool, movement.position))?.event;
    assert(
      resolved?.type === 'UnmatchedDepositResolved',
      'the idempotency key of a resolution has its event',
    );
    await cashier.hold();
    const { to, amountMinor } = resolved.data;
    const { signature, tokenAccount } = movement;
    const wallet = to.replace(/^player:/, '');
    const idempotencyKey = `resolved:${signature}:${tokenAccount}`;
    const from = 'unmatched';
    await credit(cashier, { ...movement, amountMinor, wallet, idempotencyKey, from }, false);
    await settleReport(pool, { wallet, signature }, { status: 'completed' });
  }
}

/** Pauses between two look-ups of a report, growing exponentially. */
const RETRY_MIN_MS = 1_000;
const RETRY_MAX_MS = 30_000;
/** A transaction that no node has seen for this time cannot land: its blockhash has expired. */
const GIVEN_UP_AFTER_MS = 10 * 60_000;

/**
 * Updates the reports of players. Credits nothing: a reported transaction that the scan has missed becomes a movement, like one
 * of the scan. A failed report is completed if its transaction lands later.
 */
export async function lookUpReports(cashier: Cashier): Promise<void> {
  const due = await readDueReports(cashier.pool, PER_ROUND);
  // All at once: a node that does not respond delays the round by one timeout.
  const looked = await Promise.allSettled(
    due.map(async (report) => settleReport(cashier.pool, report, await lookUp(cashier, report))),
  );
  for (const one of looked) if (one.status === 'rejected') throw one.reason;
}

type Outcome = Parameters<typeof settleReport>[2];

async function lookUp(cashier: Cashier, report: DueReport): Promise<Outcome> {
  const { pool, chain, terms } = cashier;
  const { signature, wallet, attempts } = report;
  const retryAfterMs = Math.min(RETRY_MAX_MS, RETRY_MIN_MS * 2 ** Math.min(attempts, 10));
  const later: Outcome = { status: 'pending', retryAfterMs };
  const unconfirmed: Outcome = { ...later, fault: 'unconfirmed' };
  const arrival = await readArrival(pool, { signature, tokenAccount: terms.tokenAccount });
  if (arrival?.kind === 'unmatched') return { status: 'review' };
  if (arrival) {
    const isOwn = arrival.sender === wallet;
    return isOwn ? { status: 'completed' } : { status: 'failed', fault: 'wrong-sender' };
  }
  const known = await readMovement(pool, signature, terms.tokenAccount);
  const reports = await chain.reports(signature);
  let evidence: Evidence;
  try {
    evidence = agree(reports, terms);
  } catch (error) {
    if (!(error instanceof Waits)) throw error;
    if (known || error.code === 'unreadable' || error.code === 'providers-differ') {
      return unconfirmed;
    }
    const late = Date.now() - Date.parse(report.reportedAt) > GIVEN_UP_AFTER_MS;
    const isNowhere = reports.every(({ found }) => found === 'none');
    return late && isNowhere ? { status: 'failed', fault: 'not-found' } : later;
  }
  if (evidence.providers >= providersNeeded(cashier)) {
    const fault = await findFault(cashier, evidence, wallet);
    if (fault) return { status: 'failed', fault };
  }
  // Marked as recorded, but not in the ledger: the row is wrong.
  if (known?.recorded) await removeMovement(pool, known);
  const isMissed = !known || known.recorded;
  const movement = isMissed ? await classify(cashier, evidence.transaction) : null;
  if (movement && (await addMovement(pool, movement))) {
    cashier.log.warn({ transaction: signature }, 'a reported transaction was not scanned yet');
  }
  return evidence.providers < providersNeeded(cashier) ? unconfirmed : later;
}

/** Why a transaction is no deposit of the wallet; null if it is one. */
async function findFault(
  { pool, terms }: Cashier,
  { transaction }: Evidence,
  wallet: string,
): Promise<Outcome['fault'] | null> {
  const verdict = verifyTransfer(transaction, terms);
  if (verdict.kind === 'nothing') return verdict.reason;
  if (verdict.kind === 'credit' && verdict.sender !== wallet) return 'wrong-sender';
  const scan = await readScan(pool, terms.tokenAccount);
  return scan !== null && transaction.slot <= scan.openingSlot ? 'before-opening' : null;
}
