import type { Withdrawal as Answer } from '@reelbook/contract/admin/payments';
import { riskText } from '@reelbook/contract/english-text';
import { anyOf, rowsOf, tables } from '@reelbook/event-store/query';
import { foldedState } from '@reelbook/event-store/read-stream';
import type { ProjectionsWithdrawalsV1 as Withdrawal } from '@reelbook/event-store/tables';
import { readEvents } from '@reelbook/inspection/read-events';
import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import type { Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { findingsOn } from '@reelbook/ledger/operators/findings';
import type { WithdrawalApproved, WithdrawalDenied } from '@reelbook/ledger/player/payment-events';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { sql } from 'kysely';
import type pg from 'pg';
import { factsAnswer } from './convert.ts';
import { readRegistered } from './players.ts';

const DAY_MS = 86_400_000;
const OPEN: readonly string[] = ['requested', 'approved', 'signed'];

type Risk = Answer['risks'][number];

/** Facts about a player and a withdrawal. */
export interface RiskFacts {
  readonly registeredAt: string | null;
  /** Whether a round of the player was settled. */
  readonly played: boolean;
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

/** Risks of a withdrawal, most severe first. Pure. */
export function risksOf(withdrawal: Withdrawal, facts: RiskFacts, terms: RiskTerms): Risk[] {
  const { net, fee, wallet, to_address: to, requested_at: requestedAt } = withdrawal;
  const grossMinor = BigInt(net) + BigInt(fee);
  const risks: Risk[] = [];
  const add = (weight: Risk['weight'], code: Risk['code'], facts: Facts = {}) =>
    risks.push({ code, weight, facts: factsAnswer(facts), text: riskText(code, facts) });
  const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
  const ageMs = facts.registeredAt ? Date.parse(requestedAt) - Date.parse(facts.registeredAt) : 0;
  if (facts.findings > 0 && OPEN.includes(withdrawal.status)) {
    add(2, 'open-finding', { count: facts.findings });
  }
  if (!facts.played) add(2, 'no-play');
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
export interface Decision {
  readonly position: number;
  /** False: the first of two approvals. */
  readonly isFinal: boolean;
  /** The approvals that it needed; null: it was denied. */
  readonly needed: number | null;
}

/** By id; nothing of a withdrawal without an approval or denial. */
export async function readDecisions(
  pool: pg.Pool,
  withdrawals: readonly string[],
): Promise<ReadonlyMap<string, Decision>> {
  const types = sql.raw(numbersOf(['WithdrawalApproved', 'WithdrawalDenied']));
  const last = tables
    .selectFrom('projections.entries_v1 as e')
    .select(({ fn }) => fn.max('e.position').as('position'))
    .where('e.withdrawal', '=', anyOf('text', withdrawals))
    .where(sql<boolean>`e.type in (${types})`)
    .groupBy('e.withdrawal');
  const rows = await rowsOf(pool, last, 'read-decisions');
  const positions = rows.map(({ position }) => position);
  return new Map(
    (await readEvents(pool, positions)).map(({ position, event }) => {
      const { withdrawal, needed = null, approvals = 0 } = event.data as Decided;
      return [withdrawal, { position, needed, isFinal: approvals >= (needed ?? 0) }];
    }),
  );
}

type Decided = WithdrawalDenied['data'] & Partial<WithdrawalApproved['data']>;

/** The facts of a page of withdrawals by id; of a decided one as they were before the decision. */
export async function readRiskFacts(
  pool: pg.Pool,
  page: readonly Withdrawal[],
  known: {
    readonly holds: ReadonlyMap<string, Hold>;
    readonly decisions: ReadonlyMap<string, Decision>;
  },
): Promise<ReadonlyMap<string, RiskFacts>> {
  const untils = page.map(({ withdrawal }) => {
    const decision = known.decisions.get(withdrawal);
    return decision?.isFinal ? decision.position : null;
  });
  const wallets = page.map(({ wallet }) => wallet);
  const ids = page.map(({ withdrawal }) => withdrawal);
  const [registered, operators, rows] = await Promise.all([
    readRegistered(pool, wallets),
    foldedState(pool, operatorsDecider, OPERATORS_STREAM),
    rowsOf(pool, factsOf(ids, untils), 'read-risk-facts'),
  ]);
  return new Map(
    rows.map(({ withdrawal, wallet, automatic, player_day: day, ...row }) => [
      withdrawal,
      {
        ...row,
        registeredAt: registered.get(wallet)?.time ?? null,
        dayMinor: BigInt(row.day),
        luck: row.rounds === null ? null : { rounds: row.rounds, oneIn: row.one_in },
        terms:
          automatic === null || day === null
            ? null
            : { automaticMaxTokenMinor: BigInt(automatic), playerDayMaxTokenMinor: BigInt(day) },
        hold: known.holds.get(withdrawal) ?? null,
        findings: findingsOn(operators.state, wallet),
      },
    ]),
  );
}

interface FactsRow extends Pick<RiskFacts, 'played' | 'paid' | 'paidToAddress'> {
  readonly withdrawal: string;
  readonly wallet: string;
  readonly day: string;
  readonly automatic: string | null;
  readonly player_day: string | null;
  readonly rounds: number | null;
  readonly one_in: number;
}

/** `untils`: the positions of the decisions, null for now. Raw SQL: kysely cannot select rows from JSON. */
const factsOf = (withdrawals: readonly string[], untils: readonly (number | null)[]) =>
  sql<FactsRow>`select own.withdrawal, own.wallet, played.is is not null as played, others.*,
      terms.automatic, terms.player_day, luck.rounds, luck.one_in
    from unnest(${withdrawals}::text[], ${untils}::bigint[]) as decided (withdrawal, position)
    join projections.withdrawals_v1 as own on own.withdrawal = decided.withdrawal
    cross join lateral (select coalesce(decided.position, ${Number.MAX_SAFE_INTEGER}::bigint)) as until (position)
    left join lateral (
      select true as is
        from projections.entries_players_v1 as player
        join projections.entries_v1 as e on e.player = player.player
        where player.wallet = own.wallet and e.position < until.position
          and e.type in (${sql.raw(numbersOf(['BetWon', 'BetLost']))})
        order by e.position limit 1) as played on true
    cross join lateral (
      select (count(*) filter (where paid))::int as paid,
          (count(*) filter (where paid and other.to_address = own.to_address))::int as "paidToAddress",
          coalesce(sum(net + fee) filter (where not released
            and other.requested_at > own.requested_at - interval '24 hours'
            and other.requested_at <= own.requested_at), 0)::text as day
        from projections.withdrawals_v1 as other
        -- The position of its last event: of an ended one, of its end.
        cross join lateral (select other.position < until.position and status = 'finalized' as paid,
          other.position < until.position and status = 'released' as released) as ended
        where other.wallet = own.wallet) as others
    left join lateral (
      select after->>'automaticMaxTokenMinor' as automatic,
          after->>'playerDayMaxTokenMinor' as player_day
        from events cross join lateral (select body->'data'->'after'->'withdraw') as changed (after)
        where stream = stream_key('config') and type = 'ConfigChanged' and position < decided.position
        order by version desc limit 1) as terms on true
    left join lateral (
      select named.rounds, named.one_in
        from (select result from admin_jobs
          where kind = 'audit' and state = 'done' and ended_at <= coalesce(
            (select recorded_at from events where events.position = decided.position), now())
          order by id desc limit 1) as last,
        json_to_recordset(last.result::json -> 'lucky')
          as named (player text, rounds int, one_in float8)
        where named.player = own.wallet limit 1) as luck on true`;
