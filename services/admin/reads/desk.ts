import type { Withdrawal as WithdrawalAnswer } from '@reelbook/contract/admin/desk';
import { riskText } from '@reelbook/contract/english-text';
import { loadState } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/refused';
import { readEvents } from '@reelbook/inspection/read-events';
import { type Risk, type RiskFacts, readRiskFacts, risksOf } from '@reelbook/inspection/risks';
import { readUnmatchedPage } from '@reelbook/inspection/unmatched';
import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { proposalOf } from '@reelbook/ledger/treasury/unmatched';
import { readApprovers, readConfig } from '@reelbook/payments/desk';
import { readHolds } from '@reelbook/payments/holds';
import { type PlayerNamed, readPlayersNamed } from '@reelbook/projections/entries/players';
import { readExplorer } from '@reelbook/projections/entries/read';
import { readWithdrawalsPage } from '@reelbook/projections/withdrawals/page';
import { readWithdrawal, type Withdrawal } from '@reelbook/projections/withdrawals/read';
import type pg from 'pg';
import type { Admin, AdminHandlers } from '../context.ts';
import { factsAnswer, holdAnswer, playerOr, sentenceAnswer, textOf, token } from './say.ts';

const PAGE_BY_DEFAULT = 50;
/** Steps of one withdrawal that are shown. */
const STEPS_MAX = 100;

export function deskReads({ pool }: Admin) {
  return {
    withdrawals: async ({ query }) => {
      const { status = 'open', limit = PAGE_BY_DEFAULT } = query;
      const asked = { wallet: textOf(query.wallet), beyond: textOf(query.before) };
      const [page, { config }] = await Promise.all([
        readWithdrawalsPage(pool, { status, ...asked, limit }),
        readConfig(pool),
      ]);
      return {
        data: {
          withdrawals: await answersOf(pool, page, config.withdraw),
          next: page.length === limit ? (page.at(-1)?.withdrawal ?? null) : null,
          threshold: token(config.withdraw.automaticMaxTokenMinor),
          enabled: config.withdraw.enabled,
        },
      };
    },
    withdrawal: async ({ params }) => {
      const found = await readWithdrawal(pool, params.withdrawal);
      if (!found) {
        const what = 'there is no such withdrawal';
        throw new Refused({ failed: 'not-found', detail: { what } });
      }
      const { config } = await readConfig(pool);
      const [answer] = await answersOf(pool, [found], config.withdraw);
      if (!answer) throw new Error('one withdrawal has one answer');
      return {
        data: {
          ...answer,
          transaction: found.transaction,
          signed_slot: found.signedSlot,
          events: await readSteps(pool, found.withdrawal),
        },
      };
    },
    unmatched: async ({ query }) => {
      const limit = query.limit ?? PAGE_BY_DEFAULT;
      const [page, { config }, { state }, approvers] = await Promise.all([
        readUnmatchedPage(pool, { after: textOf(query.after), limit }),
        readConfig(pool),
        loadState(pool, treasuryDecider, TREASURY_STREAM),
        readApprovers({ pool }),
      ]);
      const known = await readPlayersNamed(
        pool,
        page.flatMap(({ sender }) => sender ?? []),
      );
      return {
        data: {
          deposits: page.map((one) => ({
            signature: one.signature,
            token_account: one.tokenAccount,
            slot: one.slot,
            amount: token(one.amountMinor),
            sender: one.sender,
            sender_player: one.sender && known.has(one.sender) ? playerOr(one.sender, known) : null,
            reason: one.reason ?? '',
            position: one.position,
            seen_at: one.seenAt,
            proposed: proposalOf(state, { ...one, ...approvers }),
          })),
          // What one operator decides alone.
          threshold: token(config.adjust.singleOperatorMaxTokenMinor),
          next: page.length === limit ? (page.at(-1)?.signature ?? null) : null,
        },
      };
    },
  } satisfies Partial<AdminHandlers>;
}

async function answersOf(
  pool: pg.Pool,
  page: readonly Withdrawal[],
  terms: WithdrawConfig,
): Promise<WithdrawalAnswer[]> {
  const holds = await readHolds(
    pool,
    page.map(({ withdrawal }) => withdrawal),
  );
  const [facts, known] = await Promise.all([
    readRiskFacts(pool, page, holds),
    readPlayersNamed(
      pool,
      page.map(({ wallet }) => wallet),
    ),
  ]);
  return page.map((one) => answerOf(one, { facts: facts.get(one.withdrawal), known, terms }));
}

function answerOf(
  one: Withdrawal,
  o: {
    readonly facts: RiskFacts | undefined;
    readonly known: ReadonlyMap<string, PlayerNamed>;
    readonly terms: WithdrawConfig;
  },
): WithdrawalAnswer {
  const grossMinor = one.netMinor + one.feeMinor;
  const isHeld = one.status === 'requested' && Boolean(o.facts?.hold);
  return {
    withdrawal: one.withdrawal,
    player: playerOr(one.wallet, o.known),
    to_address: one.to,
    amount: token(grossMinor),
    fee: token(one.feeMinor),
    net: token(one.netMinor),
    status: one.status,
    approved_by: [...one.approvedBy],
    // What the cashier does not take alone takes two people.
    approvals_needed: grossMinor > o.terms.automaticMaxTokenMinor || isHeld ? 2 : 1,
    attempts: one.attempts,
    signature: one.signature,
    last_valid_block_height: one.lastValidBlockHeight,
    hold: o.facts?.hold ? holdAnswer(o.facts.hold) : null,
    reason: one.reason,
    risks: o.facts ? risksOf(one, o.facts, o.terms).map(riskAnswer) : [],
    requested_at: one.requestedAt,
    updated_at: one.updatedAt,
    position: one.position,
  };
}

function riskAnswer({ code, facts, weight }: Risk) {
  return { code, weight, facts: factsAnswer(facts), text: riskText(code, facts) };
}

async function readSteps(pool: pg.Pool, withdrawal: string) {
  const { entries } = await readExplorer(pool, { filter: { withdrawal }, limit: STEPS_MAX });
  const events = await readEvents(
    pool,
    entries.map(({ position }) => position),
  );
  return events.map(({ position, time, event, meta }) => ({
    ...{ position, time, type: event.type, actor: meta.actor },
    ...sentenceAnswer(sentenceOf(event)),
  }));
}
