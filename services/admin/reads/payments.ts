import type {
  UnmatchedPage,
  Withdrawal as WithdrawalAnswer,
  WithdrawalDetail,
} from '@reelbook/contract/admin/payments';
import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { foldedState, StateDiffers } from '@reelbook/event-store/read-stream';
import type { ProjectionsWithdrawalsV1 as Withdrawal } from '@reelbook/event-store/tables';
import { Refused } from '@reelbook/http/refused';
import { EVENTS_MAX, readEvents } from '@reelbook/inspection/read-events';
import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import type {
  UnmatchedDepositProposed,
  UnmatchedResolution,
} from '@reelbook/ledger/treasury/events';
import type { Proposal } from '@reelbook/ledger/treasury/state';
import { proposalOf } from '@reelbook/ledger/treasury/unmatched';
import { readHolds } from '@reelbook/payments/holds';
import { UNRESOLVED } from '@reelbook/payments/movements';
import { readApprovers, readConfig } from '@reelbook/payments/review';
import { readPlayersNamed } from '@reelbook/projections/entries/read';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import {
  readHistories,
  type ShownWithdrawal,
  showByEvents,
  WITHDRAWALS,
} from '@reelbook/projections/withdrawals/projection';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { holdAnswer, playerOr, sentenceAnswer, token } from './convert.ts';
import { readRegistered } from './players.ts';
import { type Decision, decisionOf, type RiskFacts, readRiskFacts, risksOf } from './risks.ts';
import { standingBy } from './standing.ts';

const PAGE_BY_DEFAULT = 50;
/** Maximum events shown for one withdrawal. */
const STEPS_MAX = 100;

export function paymentReads(admin: Admin) {
  const { pool } = admin;
  return {
    withdrawals: async ({ query }) => {
      const { limit = PAGE_BY_DEFAULT } = query;
      const [page, { config }] = await Promise.all([
        rowsOf(pool, pageOf(query).limit(limit)),
        readConfig(pool),
      ]);
      const shown = await showByEvents(pool, page);
      return {
        data: {
          withdrawals: await answersOf(admin, shown, config.withdraw),
          next: page.length === limit ? (page.at(-1)?.withdrawal ?? null) : null,
          threshold: token(config.withdraw.automaticMaxTokenMinor),
          enabled: config.withdraw.enabled,
        },
      };
    },
    withdrawal: async ({ params }) => {
      const found = await rowOf(pool, WITHDRAWALS.where('withdrawal', '=', params.withdrawal));
      const [one] = await showByEvents(pool, found ? [found] : []);
      if (!one) {
        const what = 'there is no such withdrawal';
        throw new Refused({ failed: 'not-found', detail: { what } });
      }
      const { config } = await readConfig(pool);
      const [answer] = await answersOf(admin, [one], config.withdraw);
      if (!answer) throw new Error('one withdrawal has one answer');
      const { transaction, signed_slot } = one.shown;
      return { data: { ...answer, transaction, signed_slot, events: stepsOf(one) } };
    },
    unmatched: async ({ query }) => ({ data: await readUnmatched(admin, query) }),
  } satisfies Partial<AdminHandlers>;
}

/** Throws `StateDiffers` if the row of a withdrawal is not what its events give. */
export async function assertRow({ pool }: Pick<Admin, 'pool'>, withdrawal: string): Promise<void> {
  const row = await rowOf(pool, WITHDRAWALS.where('withdrawal', '=', withdrawal));
  const [one] = await showByEvents(pool, row ? [row] : []);
  if (one?.differs) throw new StateDiffers(`withdrawal ${withdrawal}`, 'its row');
}

/** By time of the request: open ones oldest first, others newest first. */
function pageOf({ status = 'open', wallet, before }: AdminRequest<'withdrawals'>['query']) {
  const isOpen = status === 'open';
  const direction = isOpen ? 'asc' : 'desc';
  let page = WITHDRAWALS.orderBy('requested_at', direction).orderBy('withdrawal', direction);
  // The exact condition of the partial index.
  if (isOpen) page = page.where(sql<boolean>`status in ('requested', 'approved', 'signed')`);
  else if (status !== 'all') page = page.where('status', '=', status);
  if (wallet !== undefined) page = page.where('wallet', '=', String(wallet));
  if (before === undefined) return page;
  const last = tables
    .selectFrom('projections.withdrawals_v1')
    .select(['requested_at', 'withdrawal'])
    .where('withdrawal', '=', String(before));
  const beyond = sql.raw(isOpen ? '>' : '<');
  return page.where(sql<boolean>`(requested_at, withdrawal) ${beyond} ${last}`);
}

/** Unmatched deposits that are not resolved, as the ledger has them, oldest first. */
async function readUnmatched(
  { pool, clock }: Admin,
  { after, limit = PAGE_BY_DEFAULT }: AdminRequest<'unmatched'>['query'],
): Promise<UnmatchedPage> {
  const queue = UNRESOLVED.limit(limit);
  const last = tables
    .selectFrom('treasury_movements')
    .select(['seen_at', 'signature'])
    .where('signature', '=', String(after))
    .limit(1);
  const beyond = sql<boolean>`(seen_at, signature) > ${last}`;
  const [page, { config }, { state }, approvers] = await Promise.all([
    rowsOf(pool, after === undefined ? queue : queue.where(beyond)),
    readConfig(pool),
    foldedState(pool, treasuryDecider, TREASURY_STREAM),
    readApprovers({ pool }),
  ]);
  const senders = page.flatMap(({ sender }) => sender ?? []);
  const [known, registered, histories, nowMs, proposals] = await Promise.all([
    readPlayersNamed(pool, senders),
    readRegistered(pool, senders),
    readHistories(pool, senders.map(playerStream)),
    clock.agreedMs(),
    readProposals(
      pool,
      page.map(({ signature }) => signature),
    ),
  ]);
  return {
    deposits: page.map(({ delta, reason, tokenAccount, signature, slot, sender, ...one }) => {
      return {
        ...{ signature, token_account: tokenAccount, slot, sender },
        ...{ seen_at: one.seenAt, position: one.seenPosition },
        amount: token(BigInt(delta)),
        sender_player:
          sender && registered.has(sender)
            ? {
                ...playerOr(sender, known),
                standing: standingBy(histories.get(playerStream(sender)) ?? [], nowMs),
              }
            : null,
        reason: reason ?? '',
        proposed: proposals(
          { signature, tokenAccount },
          proposalOf(state, { signature, tokenAccount, ...approvers }),
        ),
      };
    }),
    // Maximum amount that one operator decides alone.
    threshold: token(config.adjust.singleOperatorMaxTokenMinor),
    next: page.length === limit ? (page.at(-1)?.signature ?? null) : null,
  };
}

/** Adds the reason to a proposal of the current state, from its event. */
async function readProposals(pool: pg.Pool, signatures: readonly string[]) {
  const latest = tables
    .selectFrom('projections.entries_v1 as e')
    .select('e.position')
    .where('e.signature', '=', anyOf('text', signatures))
    .where(sql<boolean>`e.type = ${sql.raw(numbersOf(['UnmatchedDepositProposed']))}`)
    .orderBy('e.position', 'desc')
    .limit(EVENTS_MAX);
  const rows = await rowsOf(pool, latest, 'read-unmatched-proposals');
  const events = await readEvents(
    pool,
    rows.map(({ position }) => position),
  );
  return (of: Pick<UnmatchedResolution, 'signature' | 'tokenAccount'>, made: Proposal | null) => {
    if (!made) return null;
    const found = events.findLast(({ event }) => {
      const { data } = event as UnmatchedDepositProposed;
      return data.signature === of.signature && data.tokenAccount === of.tokenAccount;
    });
    const { data } = (found?.event ?? {}) as Partial<UnmatchedDepositProposed>;
    const isSame = data?.by === made.by && data.to === made.to;
    return {
      ...{ to: made.to, by: made.by, reason: isSame ? data.reason : null },
      position: isSame && found ? found.position : null,
    };
  };
}

async function answersOf(
  { pool, clock }: Admin,
  page: readonly ShownWithdrawal[],
  terms: WithdrawConfig,
): Promise<WithdrawalAnswer[]> {
  const holds = await readHolds(
    pool,
    page.map(({ shown }) => shown.withdrawal),
  );
  const wallets = page.map(({ shown }) => shown.wallet);
  const [facts, known, nowMs] = await Promise.all([
    readRiskFacts(pool, page, holds),
    readPlayersNamed(pool, wallets),
    clock.agreedMs(),
  ]);
  return page.map((one) => {
    const { shown, events } = one;
    return answerOf(shown, {
      ...{ facts: facts.get(shown.withdrawal), decision: decisionOf(one), terms },
      player: { ...playerOr(shown.wallet, known), standing: standingBy(events, nowMs) },
    });
  });
}

function answerOf(
  withdrawal: Withdrawal,
  options: {
    readonly facts: RiskFacts | undefined;
    readonly decision: Decision | null;
    readonly player: WithdrawalAnswer['player'];
    readonly terms: WithdrawConfig;
  },
): WithdrawalAnswer {
  const { status, requested_at, updated_at } = withdrawal;
  const [netMinor, feeMinor] = [BigInt(withdrawal.net), BigInt(withdrawal.fee)];
  const grossMinor = netMinor + feeMinor;
  const { facts, decision } = options;
  const terms = facts?.terms ?? options.terms;
  const isHeld = status === 'requested' && Boolean(facts?.hold);
  // Withdrawals that the cashier does not pay automatically need two operators.
  const needed = grossMinor > terms.automaticMaxTokenMinor || isHeld ? 2 : 1;
  return {
    withdrawal: withdrawal.withdrawal,
    player: options.player,
    to_address: withdrawal.to_address,
    status: status as WithdrawalAnswer['status'],
    approved_by: withdrawal.approved_by,
    attempts: withdrawal.attempts,
    signature: withdrawal.signature,
    last_valid_block_height: withdrawal.last_valid_block_height,
    reason: withdrawal.reason,
    ...{ requested_at, updated_at, position: withdrawal.position },
    amount: token(grossMinor),
    fee: token(feeMinor),
    net: token(netMinor),
    approvals_needed: decision?.needed ?? needed,
    hold: facts?.hold ? holdAnswer(facts.hold) : null,
    risks: facts ? risksOf(withdrawal, facts, terms) : [],
  };
}

function stepsOf({ shown, events }: ShownWithdrawal): WithdrawalDetail['events'] {
  const own = events.filter(
    ({ event: { data } }) => 'withdrawal' in data && data.withdrawal === shown.withdrawal,
  );
  return own.slice(-STEPS_MAX).map(({ position, time, event, meta }) => ({
    ...{ position, time, type: event.type, actor: meta.actor },
    ...sentenceAnswer(sentenceOf(event)),
  }));
}
