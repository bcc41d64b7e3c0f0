import { type risks, riskText } from '@reelbook/contract/english';
import { rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { foldedState, StateDiffers } from '@reelbook/event-store/read-stream';
import type { ProjectionsWithdrawalsV1 as Withdrawal } from '@reelbook/event-store/tables';
import { Refused } from '@reelbook/http/routes';
import { assert } from '@reelbook/ledger/assert';
import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import type { Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { findingsOn } from '@reelbook/ledger/operators/findings';
import { CASHIER, type WithdrawalApproved } from '@reelbook/ledger/player/payment-events';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { readHolds } from '@reelbook/payments/holds';
import { readConfig } from '@reelbook/payments/operator-actions';
import { readPlayersNamed } from '@reelbook/projections/entries/read';
import {
  type ShownWithdrawal,
  showByEvents,
  WITHDRAWALS,
  type WithdrawalStatus,
} from '@reelbook/projections/withdrawals/projection';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { factsAnswer, holdAnswer, playerOr, sentenceAnswer, token } from './convert.ts';
import { readRegistered, standingBy } from './players.ts';

const DAY_MS = 86_400_000;
const OPEN: readonly string[] = ['requested', 'approved', 'signed'];

type RiskCode = keyof typeof risks;

/** Facts about a player and a withdrawal. */
interface RiskFacts {
  readonly registeredAt: string | null;
  /** Whether a bet was placed before. */
  readonly hasPlayed: boolean;
  /** The row of the read model that named the withdrawal is not what the events give. */
  readonly differs: boolean;
  /** Earlier paid withdrawals, in total and to the same address. */
  readonly paid: number;
  readonly paidToAddress: number;
  /** Gross amount requested within the 24 hours before it, including this one. */
  readonly dayMinor: bigint;
  readonly hold: Hold | null;
  /** From the last audit of the console before. */
  readonly luck: { readonly rounds: number; readonly oneIn: number } | null;
  /** Open findings of audits that hold the player's automatic payments. */
  readonly findings: number;
  /** Of the configuration at the decision; null: not decided, or a configuration without them. */
  readonly terms: RiskTerms | null;
}

type RiskTerms = Pick<WithdrawConfig, 'automaticMaxTokenMinor' | 'playerDayMaxTokenMinor'>;

/** `weight` 2 needs the most attention. */
const riskAnswer = (weight: number, code: RiskCode, facts: Facts) => ({
  code,
  weight,
  facts: factsAnswer(facts),
  text: riskText(code, facts),
});

/** Risks of a withdrawal, most severe first. Pure. */
function risksOf(withdrawal: Withdrawal, facts: RiskFacts, terms: RiskTerms) {
  const { net, fee, wallet, to_address: to, requested_at: requestedAt } = withdrawal;
  const grossMinor = BigInt(net) + BigInt(fee);
  const risks: ReturnType<typeof riskAnswer>[] = [];
  const add = (weight: number, code: RiskCode, facts: Facts = {}) =>
    risks.push(riskAnswer(weight, code, facts));
  const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
  const ageMs = facts.registeredAt ? Date.parse(requestedAt) - Date.parse(facts.registeredAt) : 0;
  if (facts.findings > 0 && OPEN.includes(withdrawal.status)) {
    add(2, 'open-finding', { count: facts.findings });
  }
  if (facts.differs) add(2, 'state-differs');
  if (!facts.hasPlayed) add(2, 'no-play');
  if (ageMs < DAY_MS) add(2, 'new-player');
  if (facts.luck) add(2, 'luck', facts.luck);
  if (facts.dayMinor > terms.playerDayMaxTokenMinor) {
    add(2, 'velocity', { asked: token(facts.dayMinor) });
  }
  if (withdrawal.attempts > 1 || (withdrawal.attempts > 0 && withdrawal.status === 'approved')) {
    add(2, 'attempt-failed', { attempt: withdrawal.attempts });
  }
  if (grossMinor > terms.automaticMaxTokenMinor) {
    add(1, 'large', { most: token(terms.automaticMaxTokenMinor) });
  }
  if (to !== wallet) add(1, 'other-address');
  if (facts.paid === 0) add(1, 'first');
  else if (facts.paidToAddress === 0) add(1, 'new-address');
  if (facts.hold) add(1, 'on-hold', { why: { hold: facts.hold } });
  return risks.toSorted((a, b) => b.weight - a.weight);
}

/** The last decision on a withdrawal. Later changes of the configuration and later play do not change its flags. */
interface Decision {
  readonly position: number;
  /** False: the first of two approvals. */
  readonly isFinal: boolean;
  /** The approvals that it needed; null: it was denied. */
  readonly needed: number | null;
  /** By an operator. The cashier returns what an address cannot receive. */
  readonly denied: boolean;
}

/** Null without an approval or denial. */
function decisionOf({ shown, events }: ShownWithdrawal): Decision | null {
  const last = events.findLast(
    ({ event }) =>
      (event.type === 'WithdrawalApproved' || event.type === 'WithdrawalDenied') &&
      event.data.withdrawal === shown.withdrawal,
  );
  if (!last) return null;
  const { needed = null, approvals = 0 } = last.event.data as Partial<WithdrawalApproved['data']>;
  const denied = last.event.type === 'WithdrawalDenied' && last.meta.actor !== CASHIER;
  return { position: last.position, needed, isFinal: approvals >= (needed ?? 0), denied };
}

/** The facts of a page of withdrawals by id, from the events of their players; of a decided one as they were before. */
async function readRiskFacts(
  pool: pg.Pool,
  page: readonly ShownWithdrawal[],
  holds: ReadonlyMap<string, Hold>,
): Promise<ReadonlyMap<string, RiskFacts>> {
  const wallets = page.map(({ shown }) => shown.wallet);
  const untils = page.map((one) => {
    const decision = decisionOf(one);
    return decision?.isFinal ? decision.position : null;
  });
  const [registered, { rows }, operators] = await Promise.all([
    readRegistered(pool, wallets),
    pool.query<FactsRow>({ name: 'read-risk-facts', text: FACTS, values: [wallets, untils] }),
    foldedState(pool, operatorsDecider, OPERATORS_STREAM),
  ]);
  return new Map(
    page.map(({ shown, differs, ofPlayer }, index) => {
      const { withdrawal, wallet, to_address: to, requested_at: at } = shown;
      const row = rows[index];
      assert(row, 'a withdrawal has a row of facts');
      const { played, automatic, player_day: day, rounds, one_in } = row;
      const until = untils[index] ?? Number.POSITIVE_INFINITY;
      const dayBefore = new Date(Date.parse(at) - DAY_MS).toISOString();
      // The position of a withdrawal that is over is that of its end.
      const paid = ofPlayer.filter((one) => one.status === 'finalized' && one.position < until);
      const ofDay = ofPlayer.filter(
        ({ status, position, requested_at: time }) =>
          !(status === 'released' && position < until) && time > dayBefore && time <= at,
      );
      const facts: RiskFacts = {
        registeredAt: registered.get(wallet)?.time ?? null,
        hasPlayed: played,
        differs,
        paid: paid.length,
        paidToAddress: paid.filter(({ to_address }) => to_address === to).length,
        dayMinor: ofDay.reduce((sum, { net, fee }) => sum + BigInt(net) + BigInt(fee), 0n),
        hold: holdOf(shown, holds.get(withdrawal)),
        luck: rounds === null ? null : { rounds, oneIn: one_in },
        findings: findingsOn(operators.state, wallet),
        terms:
          automatic === null || day === null
            ? null
            : { automaticMaxTokenMinor: BigInt(automatic), playerDayMaxTokenMinor: BigInt(day) },
      };
      return [withdrawal, facts];
    }),
  );
}

/** Approvals are those of the events: the cashier writes why a withdrawal waits once a round. */
function holdOf({ status, approved_by }: Withdrawal, hold: Hold | undefined): Hold | null {
  if (!hold || !('approvals' in hold.facts)) return hold ?? null;
  const facts = { ...hold.facts, approvals: approved_by.length };
  return status === 'requested' ? ({ ...hold, facts } as Hold) : null;
}

interface FactsRow {
  readonly played: boolean;
  readonly automatic: string | null;
  readonly player_day: string | null;
  readonly rounds: number | null;
  readonly one_in: number;
}

/** By wallets and the positions of their decisions, null for now. */
const FACTS = `select exists (select from events
        where stream = stream_key('player-' || asked.wallet) and type = 'BetPlaced'
          and events.position < coalesce(asked.position, ${Number.MAX_SAFE_INTEGER})) as played,
      terms.automatic, terms.player_day, luck.rounds, luck.one_in
    from unnest($1::text[], $2::bigint[]) with ordinality
      as asked (wallet, position, n)
    left join lateral (
      select after->>'automaticMaxTokenMinor' as automatic,
          after->>'playerDayMaxTokenMinor' as player_day
        from events cross join lateral (select body->'data'->'after'->'withdraw') as changed (after)
        where stream = stream_key('config') and type = 'ConfigChanged' and position < asked.position
        order by version desc limit 1) as terms on true
    left join lateral (
      select named.rounds, named.one_in
        from (select result from admin_jobs
          where kind = 'audit' and state = 'done' and ended_at <= coalesce(
            (select recorded_at from events where events.position = asked.position), now())
          order by id desc limit 1) as last,
        json_to_recordset(last.result::json -> 'lucky')
          as named (player text, rounds int, one_in float8)
        where named.player = asked.wallet limit 1) as luck on true
    order by asked.n`;

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

async function answersOf(
  { pool, clock }: Admin,
  page: readonly ShownWithdrawal[],
  terms: WithdrawConfig,
) {
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
      facts: facts.get(shown.withdrawal),
      decision: decisionOf(one),
      terms,
      player: { ...playerOr(shown.wallet, known), standing: standingBy(events, nowMs) },
    });
  });
}

function answerOf<Player>(
  withdrawal: Withdrawal,
  options: {
    readonly facts: RiskFacts | undefined;
    readonly decision: Decision | null;
    readonly player: Player;
    readonly terms: WithdrawConfig;
  },
) {
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
    status: status as WithdrawalStatus,
    denied: decision?.denied ?? false,
    approved_by: withdrawal.approved_by,
    attempts: withdrawal.attempts,
    signature: withdrawal.signature,
    last_valid_block_height: withdrawal.last_valid_block_height,
    reason: withdrawal.reason,
    requested_at,
    updated_at,
    position: withdrawal.position,
    amount: token(grossMinor),
    fee: token(feeMinor),
    net: token(netMinor),
    approvals_needed: decision?.needed ?? needed,
    hold: facts?.hold ? holdAnswer(facts.hold) : null,
    risks: facts ? risksOf(withdrawal, facts, terms) : [],
  };
}

function stepsOf({ shown, events }: ShownWithdrawal) {
  const own = events.filter(
    ({ event: { data } }) => 'withdrawal' in data && data.withdrawal === shown.withdrawal,
  );
  return own.slice(-STEPS_MAX).map(({ position, time, event, meta }) => ({
    position,
    time,
    type: event.type,
    actor: meta.actor,
    ...sentenceAnswer(sentenceOf(event)),
  }));
}
