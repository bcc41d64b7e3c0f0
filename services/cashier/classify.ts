import { type Clock, openClock } from '@reelbook/event-store/clock';
import { findIdempotencyKey, hashKey } from '@reelbook/event-store/execution';
import { readEvent } from '@reelbook/event-store/read-log';
import { foldedState } from '@reelbook/event-store/read-stream';
import { assert } from '@reelbook/ledger/assert';
import { canonical } from '@reelbook/ledger/codec';
import { AMOUNT_MAX_MINOR } from '@reelbook/ledger/money';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { restoresOf } from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { DUST_TRANSFERS_MAX, isDust, isDustDue } from '@reelbook/ledger/treasury/dust';
import type { DustTransfer } from '@reelbook/ledger/treasury/events';
import { findNoDust, hasNewDust, isPlayer, markDust } from '@reelbook/payments/dust';
import type { Movement } from '@reelbook/payments/movements';
import { readConfig } from '@reelbook/payments/operator-actions';
import type { Terms } from '@reelbook/solana/mint';
import { foundOf, type Report } from '@reelbook/solana/rpc';
import type { ChainTransaction } from '@reelbook/solana/transaction';
import { transferFact, verifyTransfer } from '@reelbook/solana/verify-transfer';
import { type Cashier, metaOf } from './context.ts';

/** A transaction as the chain has it, and the number of providers that report it. Nothing here reads a working table. */

/** Providers that must report the same transaction, where the site has several. */
const PROVIDERS_NEEDED = 2;
export const providersNeeded = ({ chain }: Pick<Cashier, 'chain'>) =>
  Math.min(PROVIDERS_NEEDED, chain.providers);

type WaitCode =
  /** No node responded, or none has it, or none in a form that this build can read. */
  | 'no-answer'
  | 'not-found'
  | 'unreadable'
  /** Only one provider reports it, and the sums for that are used up. */
  | 'one-provider'
  | 'providers-differ';

/** Too little is known of a transaction: it is looked up again. Neither a refusal nor a credit. */
export class Waits extends Error {
  override readonly name = 'Waits';
  readonly code: WaitCode;
  constructor(code: WaitCode) {
    super(`it waits: ${code}`);
    this.code = code;
  }
}

/** A transaction, and the number of providers that report it like this. */
export interface Evidence {
  readonly transaction: ChainTransaction;
  readonly providers: number;
}

/** What most providers report of it. Throws `Waits` if none has it, or if they differ and no two agree. */
export function agree(reports: readonly Report[], terms: Terms): Evidence {
  const groups = new Map<string, { transaction: ChainTransaction; providers: Set<string> }>();
  for (const { provider, found } of reports) {
    if (typeof found === 'string') continue;
    const key = essenceOf(found, terms);
    const group = groups.get(key) ?? { transaction: found, providers: new Set() };
    groups.set(key, { ...group, providers: group.providers.add(provider) });
  }
  const [first, second] = [...groups.values()].sort((a, b) => b.providers.size - a.providers.size);
  if (!first) throw new Waits(absenceOf(reports));
  const { transaction, providers } = first;
  if (second && (providers.size < PROVIDERS_NEEDED || second.providers.size === providers.size)) {
    throw new Waits('providers-differ');
  }
  return { transaction, providers: providers.size };
}

/** All that a credit depends on. */
function essenceOf(transaction: ChainTransaction, terms: Terms): string {
  const { message, slot, error } = transaction;
  const { beforeMinor, afterMinor } = transferFact(transaction, terms);
  const verdict = verifyTransfer(transaction, terms);
  return canonical({ message, slot, error, beforeMinor, afterMinor, verdict });
}

function absenceOf(reports: readonly Report[]): WaitCode {
  const has = (kind: Report['found']) => reports.some(({ found }) => found === kind);
  if (has('unreadable')) return 'unreadable';
  return has('none') ? 'not-found' : 'no-answer';
}

/** Whether no node responded: nothing is known of the transaction. */
export function isAllAway(reports: readonly Report[]): boolean {
  return foundOf(reports).length === 0 && absenceOf(reports) === 'no-answer';
}

/** The movement of a transaction; null if it moved nothing of the treasury. */
export async function classify(
  cashier: Pick<Cashier, 'pool' | 'terms' | 'log'>,
  transaction: ChainTransaction,
): Promise<Movement | null> {
  const { tokenAccount } = cashier.terms;
  const { beforeMinor, afterMinor } = transferFact(transaction, cashier.terms);
  const deltaMinor = transaction.error === null ? afterMinor - beforeMinor : 0n;
  if (deltaMinor === 0n) return null;
  const { signature, slot } = transaction;
  const at = { tokenAccount, signature, slot, deltaMinor };
  return deltaMinor > 0n ? arrived(cashier, at, transaction) : left(cashier, at, transaction);
}

type Place = Pick<Movement, 'tokenAccount' | 'signature' | 'slot' | 'deltaMinor'>;
type Ledger = Pick<Cashier, 'pool' | 'terms' | 'log'>;

/** A deposit of a registered sender, or, depending on its amount, dust or an unmatched deposit. */
async function arrived(
  { pool, terms, log }: Ledger,
  at: Place,
  transaction: ChainTransaction,
): Promise<Movement> {
  const unmatched = async (sender: string | null, reason: string): Promise<Movement> => {
    const { config } = await readConfig(pool);
    const kind = isDust(at.deltaMinor, config.deposit) ? 'dust' : 'unmatched';
    return { ...at, kind, sender, reason, recorded: false };
  };
  const verdict = verifyTransfer(transaction, terms);
  if (verdict.kind === 'nothing') {
    const found = await unmatched(null, verdict.reason);
    const { signature, reason } = found;
    if (found.kind !== 'dust') log.error({ signature, reason }, 'an unexpected arrival');
    return found;
  }
  assert(verdict.amountMinor === at.deltaMinor, 'the credit equals the arrival');
  if (verdict.kind === 'unmatched') {
    const [sender = null, ...others] = verdict.senders;
    return unmatched(others.length > 0 ? null : sender, verdict.reason);
  }
  const { sender } = verdict;
  if (at.deltaMinor > AMOUNT_MAX_MINOR) return unmatched(sender, 'too-large');
  if (!(await isPlayer(pool, sender))) return unmatched(sender, 'no-such-player');
  return { ...at, kind: 'deposit', sender, reason: null, recorded: false };
}

/** A withdrawal, or an outflow of the house, which is logged as an error. */
async function left(
  { pool, log }: Ledger,
  at: Place,
  { memos }: ChainTransaction,
): Promise<Movement> {
  const withdrawal =
    (await findWithdrawal(pool, at.signature, memos)) ?? (await findLostWithdrawal(pool, at));
  const moved = { ...at, sender: null, recorded: true };
  if (withdrawal !== null) return { ...moved, kind: 'withdrawal', reason: withdrawal };
  log.error({ ...at, deltaMinor: at.deltaMinor.toString() }, 'BSM left without a withdrawal');
  return { ...moved, kind: 'other', reason: 'left without a withdrawal' };
}

/** Of a payment that the ledger lost. */
async function findLostWithdrawal(
  pool: Cashier['pool'],
  { signature }: Pick<Place, 'signature'>,
): Promise<string | null> {
  const { state } = await foldedState(pool, operatorsDecider, OPERATORS_STREAM);
  const lost = restoresOf(state).lost[signature];
  return lost && 'withdrawal' in lost ? lost.withdrawal : null;
}

/** The withdrawal that the ledger has signed so, before it was sent; a payment names it in its memo. */
export async function findWithdrawal(
  pool: Cashier['pool'],
  signature: string,
  memos: readonly string[],
): Promise<string | null> {
  for (const id of memos) {
    for (let attempt = 1; ; attempt++) {
      const key = hashKey(`withdrawal:${id}:attempt:${attempt}`);
      const used = await findIdempotencyKey(pool, key);
      if (!used) break;
      const event = (await readEvent(pool, used.position))?.event;
      if (event?.type === 'WithdrawalSigned' && event.data.signature === signature) {
        return event.data.withdrawal;
      }
    }
  }
  return null;
}

/**
 * Dust: arrivals below `deposit.dustBelowTokenMinor` that no player can be credited for. An attacker can send thousands an hour,
 * so they are recorded together: in one event a day, and in one whenever `DUST_TRANSFERS_MAX` of them wait. Each is read from
 * the chain like any arrival, and then kept in memory; the table is only a place to look.
 */

/** Dust that was read from the chain under this lease and waits for its event, by signature. */
export type Dust = Map<string, DustTransfer & { readonly sender: string | null }>;

type Recorder = Pick<Cashier, 'pool' | 'terms' | 'executor' | 'log' | 'hold' | 'at'>;

/** Records the dust that waits, if it is due. */
export async function recordDust(cashier: Recorder, dust: Dust): Promise<void> {
  const { pool, terms, executor, log } = cashier;
  const { tokenAccount } = terms;
  const clock = openClock(pool);
  if (dust.size === 0 || !(await isDue(cashier, dust, clock))) return;
  await cashier.hold();
  const execution = {
    decider: treasuryDecider,
    stream: TREASURY_STREAM,
    idempotencyKey: null,
    request: null,
    meta: metaOf('dust'),
    async prepare() {
      const configVersion = await sortOut(cashier, dust);
      const transfers = [...dust.values()]
        .slice(0, DUST_TRANSFERS_MAX)
        .map(({ sender: _, ...transfer }) => transfer);
      const nowMs = await clock.agreedMs();
      const command = { type: 'RecordDust' as const, tokenAccount, transfers, nowMs };
      return { command, configVersion };
    },
  };
  const executed = await executor.execute(execution).catch((error) => {
    // It may be recorded: all is read again, so that nothing is counted twice.
    dust.clear();
    throw error;
  });
  assert(executed.kind === 'done', 'dust is never refused');
  const [recorded] = executed.events;
  if (recorded?.event.type !== 'DustReceived') return;
  const { transfers, amountMinor } = recorded.event.data;
  const signatures = transfers.map(({ signature }) => signature);
  for (const signature of signatures) dust.delete(signature);
  await cashier.at('dust-appended');
  await markDust(pool, { tokenAccount, signatures });
  log.info({ count: transfers.length, amountMinor: amountMinor.toString() }, 'dust is recorded');
  await cashier.at('dust-recorded');
}

async function isDue(cashier: Recorder, dust: Dust, clock: Clock): Promise<boolean> {
  const { pool, terms } = cashier;
  await sortOut(cashier, dust);
  if (dust.size >= DUST_TRANSFERS_MAX) return true;
  const { state } = await foldedState(pool, treasuryDecider, TREASURY_STREAM);
  if (!isDustDue(state, { count: dust.size, nowMs: await clock.agreedMs() })) return false;
  // What else arrived belongs to the same event.
  const { tokenAccount } = terms;
  return !(await hasNewDust(pool, { tokenAccount, signatures: [...dust.keys()] }));
}

/** Drops what the ledger has after all, whose sender has registered, or what is no dust by now: it is read again. */
async function sortOut({ pool, terms }: Recorder, dust: Dust): Promise<number> {
  const { config, version } = await readConfig(pool);
  const waiting = [...dust.values()];
  const none = await findNoDust(pool, terms.tokenAccount, waiting);
  for (const { signature, amountMinor } of waiting) {
    if (none.has(signature) || !isDust(amountMinor, config.deposit)) dust.delete(signature);
  }
  return version;
}
