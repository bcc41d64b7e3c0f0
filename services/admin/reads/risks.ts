import type { Withdrawal as Answer } from '@reelbook/contract/admin/payments';
import { riskText } from '@reelbook/contract/english-text';
import { anyOf, rowsOf, tables } from '@reelbook/event-store/query';
import { foldedState } from '@reelbook/event-store/read-stream';
import type { ProjectionsWithdrawalsV1 as Withdrawal } from '@reelbook/event-store/tables';
import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import type { Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { findingsOn } from '@reelbook/ledger/operators/findings';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
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
  readonly rounds: number;
  /** Earlier paid withdrawals, in total and to the same address. */
  readonly paid: number;
  readonly paidToAddress: number;
  /** Gross amount requested within the 24 hours before it, including this one. */
  readonly dayMinor: bigint;
  readonly hold: Hold | null;
  /** From the last audit of the console. */
  readonly luck: { readonly rounds: number; readonly oneIn: number } | null;
  /** Open findings of audits that hold the player's automatic payments. */
  readonly findings: number;
}

/** Risks of a withdrawal, most severe first. Pure. */
export function risksOf(
  withdrawal: Withdrawal,
  facts: RiskFacts,
  terms: Pick<WithdrawConfig, 'automaticMaxTokenMinor' | 'playerDayMaxTokenMinor'>,
): Risk[] {
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
  if (facts.rounds === 0) add(2, 'no-play');
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

/** The facts of a page of withdrawals by id. */
export async function readRiskFacts(
  pool: pg.Pool,
  page: readonly Withdrawal[],
  holds: ReadonlyMap<string, Hold>,
): Promise<ReadonlyMap<string, RiskFacts>> {
  const wallets = page.map(({ wallet }) => wallet);
  const [registered, lucky, operators, rows] = await Promise.all([
    readRegistered(pool, wallets),
    readLucky(pool),
    foldedState(pool, operatorsDecider, OPERATORS_STREAM),
    rowsOf(pool, factsOf(page.map(({ withdrawal }) => withdrawal)), 'read-risk-facts'),
  ]);
  const found = new Map(rows.map((row) => [row.withdrawal, row]));
  return new Map(
    page.map(({ withdrawal, wallet }) => {
      const row = found.get(withdrawal);
      const facts = {
        registeredAt: registered.get(wallet)?.time ?? null,
        rounds: row?.rounds ?? 0,
        paid: row?.paid ?? 0,
        paidToAddress: row?.paid_to ?? 0,
        dayMinor: BigInt(row?.day ?? 0),
        hold: holds.get(withdrawal) ?? null,
        luck: lucky.get(wallet) ?? null,
        findings: findingsOn(operators.state, wallet),
      };
      return [withdrawal, facts];
    }),
  );
}

/** Players that the last audit of the console reported as improbably lucky. Raw SQL: kysely cannot select rows from JSON. */
async function readLucky(pool: pg.Pool): Promise<ReadonlyMap<string, RiskFacts['luck']>> {
  const named = sql<{ player: string; rounds: number; oneIn: number }>`
    select named.player, named.rounds, named.one_in as "oneIn"
      from (select result from admin_jobs
        where kind = 'audit' and state = 'done' order by id desc limit 1) as last,
      json_to_recordset(last.result::json -> 'lucky')
        as named(player text, rounds int, one_in float8)`;
  const rows = await rowsOf(pool, named, 'read-lucky');
  return new Map(rows.map(({ player, ...luck }) => [player, luck]));
}

const factsOf = (withdrawals: readonly string[]) =>
  tables
    .selectFrom('projections.withdrawals_v1 as own')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('projections.player_stats_v1 as stats')
          .select(sql<number>`coalesce(sum(games), 0)::int`.as('rounds'))
          .whereRef('stats.wallet', '=', 'own.wallet')
          .as('played'),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('projections.withdrawals_v1 as other')
          .select([
            sql<number>`(count(*) filter (where ${PAID_BEFORE}))::int`.as('paid'),
            sql<number>`(count(*) filter (where ${PAID_BEFORE}
              and other.to_address = own.to_address))::int`.as('paid_to'),
            sql<string>`coalesce(sum(other.net + other.fee) filter (where other.status <> 'released'
              and other.requested_at > own.requested_at - interval '24 hours'
              and other.requested_at <= own.requested_at), 0)::text`.as('day'),
          ])
          .whereRef('other.wallet', '=', 'own.wallet')
          .as('others'),
      (join) => join.onTrue(),
    )
    .select(['own.withdrawal', 'played.rounds', 'others.paid', 'others.paid_to', 'others.day'])
    .where('own.withdrawal', '=', anyOf('text', withdrawals));

const PAID_BEFORE = sql`other.status = 'finalized' and other.requested_at < own.requested_at`;
