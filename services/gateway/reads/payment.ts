import { depositFaultText, holdText } from '@reelbook/contract/english';
import type { Payment } from '@reelbook/contract/player/wallet';
import { Refused } from '@reelbook/http/routes';
import { findEvents } from '@reelbook/inspection/event';
import { isDepositFault } from '@reelbook/ledger/deposit-faults';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { toNumber } from '@reelbook/ledger/money';
import { readHolds } from '@reelbook/payments/holds';
import { type Report, readReport } from '@reelbook/payments/reports';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { readPaidDurations } from '@reelbook/projections/entries/history';
import { within } from '@reelbook/runtime/alarm';
import { LRUCache } from 'lru-cache';
import { explorerUrl, paymentOf } from '../answers/wallet.ts';
import type { Gateway } from '../context.ts';
import type { PlayersChain } from '../limits.ts';
import { answerable } from './answerable.ts';
import { readPlayer } from './player.ts';
import { readNewest } from './recent.ts';

const KEPT_MAX = 10_000;
/** One look-up of a transaction that is not confirmed yet, for all its readers. */
const RETRY_AFTER_MS = 2_000;
/** A slow node does not delay the response: a later one shows the confirmation. */
const WAIT_MS = 1_000;

/** Which transactions of withdrawals are confirmed on the chain, before they are final. */
interface Confirmations {
  /** `by` is the player whose reads of the chain count; above the limit it is not confirmed yet. */
  has(signature: string | null, by: string): Promise<boolean>;
}

export function openConfirmations({ chainFor }: Pick<Gateway, 'chainFor'>): Confirmations {
  const confirmed = new LRUCache<string, { readonly is: boolean }, PlayersChain>({
    max: KEPT_MAX,
    async fetchMethod(signature, _, { options, context: chain }) {
      const is = (await chain.transaction(signature, 'confirmed').catch(() => null)) !== null;
      options.ttl = is ? 0 : RETRY_AFTER_MS;
      return { is };
    },
  });
  return {
    async has(signature, by) {
      const chain = chainFor(by);
      if (signature === null || chain === null) return false;
      const found = await within(WAIT_MS, confirmed.fetch(signature, { context: chain }));
      return found?.is === true;
    },
  };
}

/** Events of one payment: a withdrawal of more attempts shows its newest. */
const EVENTS_MAX = 200;

/** So many of the newest paid withdrawals give the usual duration. */
const USUAL_OF = 20;

const OPEN: ReadonlySet<Payment['status']> = new Set(['pending', 'approved', 'processing']);

/** One of the player's own deposits or withdrawals; those of others are not found. */
export async function readPayment(
  gateway: Pick<Gateway, 'pool' | 'chain'>,
  confirmations: Confirmations,
  options: { readonly wallet: string; readonly id: string },
): Promise<Payment> {
  const { pool } = gateway;
  const { wallet, id } = options;
  const network = gateway.chain?.network ?? null;
  // Only ids of withdrawals have a dash: signatures are in base58.
  if (!id.includes('-')) return readDeposit(pool, { wallet, signature: id, network });
  const events = await readSteps(pool, { wallet, withdrawal: id });
  const found = paymentOf(events, network);
  if (!found) throw noSuchPayment();
  const hold = (await readHolds(pool, [id])).get(id);
  const isConfirmed =
    found.chain_status === 'sent' && (await confirmations.has(found.signature, wallet));
  const isOpen = OPEN.has(found.status);
  return {
    ...found,
    usual: isOpen ? await readUsual(pool) : null,
    ...(isConfirmed && { chain_status: 'confirmed' as const }),
    // The reasons follow the read model, which may lag.
    hold: hold && isOpen ? { ...hold, text: holdText(hold) } : null,
  };
}

/** The median of past withdrawals of all players; null without any. */
async function readUsual(pool: Gateway['pool']): Promise<Payment['usual']> {
  const durations = [...(await readPaidDurations(pool, USUAL_OF))].sort((a, b) => a - b);
  const ms = durations[Math.floor(durations.length / 2)];
  return ms === undefined ? null : { ms, count: durations.length };
}

type Of = Pick<ExplorerFilter, 'withdrawal' | 'signature'> & { readonly wallet: string };

/** From the entries, which may lag, and from the player's newest events. Ascending. */
async function readSteps(pool: Gateway['pool'], of: Of): Promise<readonly RecordedEvent[]> {
  const { version } = await readPlayer({ pool }, of.wallet);
  const [recorded, newest] = await Promise.all([
    answerable(findEvents(pool, of, EVENTS_MAX)),
    readNewest(pool, { wallet: of.wallet, version }),
  ]);
  const fresh = newest.filter(({ event: { data } }) =>
    of.withdrawal === undefined
      ? 'signature' in data && data.signature === of.signature
      : 'withdrawal' in data && data.withdrawal === of.withdrawal,
  );
  const all = new Map([...recorded, ...fresh].map((one) => [one.position, one]));
  return [...all.values()]
    .filter(({ event }) => isVisibleToPlayer(event))
    .sort((a, b) => a.position - b.position);
}

async function readDeposit(
  pool: Gateway['pool'],
  o: { readonly wallet: string; readonly signature: string; readonly network: string | null },
): Promise<Payment> {
  const { wallet, signature, network } = o;
  const [events, stored] = await Promise.all([
    readSteps(pool, { wallet, signature }),
    readReport(pool, { wallet, signature }),
  ]);
  // The row of a report is no evidence of a credit.
  const report =
    stored?.status === 'completed' ? { ...stored, status: 'pending' as const } : stored;
  const credited = events.find(({ event }) => event.type === 'DepositCredited');
  if (!credited && !report) throw noSuchPayment();
  const data = credited?.event.type === 'DepositCredited' ? credited.event.data : null;
  const amount = toNumber('token', data?.amountMinor ?? report?.amountMinor ?? 0n);
  const reported = report && report.reportedAt <= (credited?.time ?? report.reportedAt);
  return {
    id: signature,
    type: 'deposit',
    amount,
    fee: 0,
    net_amount: amount,
    signature,
    status: data ? 'completed' : (report?.status ?? 'pending'),
    to_address: null,
    confirmed_by_wallet: false,
    hold: null,
    usual: null,
    explorer_url: explorerUrl(network, signature),
    // A report is no evidence that the transaction was sent.
    chain_status: data || report?.status === 'review' ? 'finalized' : null,
    ...(data ? { reason: null, fault: null } : faultOf(report)),
    steps: [
      ...(reported ? [{ step: 'reported' as const, at: report.reportedAt, position: null }] : []),
      ...(credited
        ? [{ step: 'final' as const, at: credited.time, position: credited.position }]
        : []),
    ],
  };
}

function faultOf(report: Report | null) {
  const reason = report?.reason ?? null;
  return {
    reason: reason === null ? null : depositFaultText(reason),
    fault: isDepositFault(reason) ? reason : null,
  };
}

function noSuchPayment(): Refused {
  return new Refused({ failed: 'not-found', detail: { what: 'you have no such payment' } });
}
