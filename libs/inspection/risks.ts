import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import type { Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import type { Withdrawal } from '@reelbook/projections/withdrawals/read';
import type pg from 'pg';
import { readRegistered } from './player-figures.ts';

const DAY_MS = 86_400_000;

/** Something to look at before money leaves. Weight 2: stop and think. */
export interface Risk {
  readonly code:
    | 'no-play'
    | 'new-player'
    | 'luck'
    | 'velocity'
    | 'attempt-failed'
    | 'large'
    | 'other-address'
    | 'first'
    | 'new-address'
    | 'on-hold';
  readonly facts: Facts;
  readonly weight: 1 | 2;
}

/** What is known of a player beside one withdrawal. */
export interface RiskFacts {
  readonly registeredAt: string | null;
  readonly rounds: number;
  /** Withdrawals paid before, in all and to the same address. */
  readonly paid: number;
  readonly paidToAddress: number;
  /** Gross, asked for within 24 hours before it, this one included. */
  readonly dayMinor: bigint;
  readonly hold: Hold | null;
  /** As the last audit of the console named it. */
  readonly luck: { readonly rounds: number; readonly eValue: string } | null;
}

/** Pure: what speaks for a second look, the gravest first. */
export function risksOf(
  withdrawal: Withdrawal,
  facts: RiskFacts,
  terms: Pick<WithdrawConfig, 'automaticMaxTokenMinor' | 'playerDayMaxTokenMinor'>,
): readonly Risk[] {
  const { netMinor, feeMinor, wallet, to, requestedAt } = withdrawal;
  const grossMinor = netMinor + feeMinor;
  const risks: Risk[] = [];
  const add = (weight: Risk['weight'], code: Risk['code'], facts: Facts = {}) =>
    risks.push({ code, facts, weight });
  const token = (minor: bigint) => ({ asset: 'token', minor }) as const;
  const ageMs = facts.registeredAt ? Date.parse(requestedAt) - Date.parse(facts.registeredAt) : 0;
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

/** The facts of a page of withdrawals, by id, in three look-ups. */
export async function readRiskFacts(
  pool: pg.Pool,
  page: readonly Withdrawal[],
  holds: ReadonlyMap<string, Hold>,
): Promise<ReadonlyMap<string, RiskFacts>> {
  const wallets = page.map(({ wallet }) => wallet);
  const [registered, lucky, { rows }] = await Promise.all([
    readRegistered(pool, wallets),
    readLucky(pool),
    pool.query<{
      withdrawal: string;
      rounds: number;
      paid: number;
      paid_to: number;
      day: string;
    }>({
      name: 'read-risk-facts',
      text: FACTS,
      values: [page.map(({ withdrawal }) => withdrawal)],
    }),
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
      };
      return [withdrawal, facts];
    }),
  );
}

/** Players whom the console's last audit named as lucky beyond chance. */
async function readLucky(pool: pg.Pool): Promise<ReadonlyMap<string, RiskFacts['luck']>> {
  const { rows } = await pool.query<{ player: string; rounds: number; e_value: string }>({
    name: 'read-lucky',
    text: `select named.* from (select result from admin_jobs
        where kind = 'audit' and state = 'done' order by id desc limit 1) as last,
      json_to_recordset(last.result::json #> '{luck,named}')
        as named(player text, rounds int, e_value text)`,
  });
  return new Map(
    rows.map(({ player, rounds, e_value: eValue }) => [player, { rounds, eValue }] as const),
  );
}

const FACTS = `
  select own.withdrawal, played.rounds, others.paid, others.paid_to, others.day::text as day
  from projections.withdrawals_v1 as own,
    lateral (select coalesce(sum(games), 0)::int as rounds from projections.player_stats_v1
      where wallet = own.wallet) as played,
    lateral (select
      (count(*) filter (where status = 'finalized' and requested_at < own.requested_at))::int as paid,
      (count(*) filter (where status = 'finalized' and requested_at < own.requested_at
        and to_address = own.to_address))::int as paid_to,
      coalesce(sum(net + fee) filter (where status <> 'released'
        and requested_at > own.requested_at - interval '24 hours'
        and requested_at <= own.requested_at), 0) as day
      from projections.withdrawals_v1 where wallet = own.wallet) as others
  where own.withdrawal = any($1::text[])`;
