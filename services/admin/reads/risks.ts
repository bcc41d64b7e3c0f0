import type { Withdrawal as Answer } from '@reelbook/contract/admin/payments';
import { riskText } from '@reelbook/contract/english-text';
import { rowsOf } from '@reelbook/event-store/query';
import { foldedState } from '@reelbook/event-store/read-stream';
import type { ProjectionsWithdrawalsV1 as Withdrawal } from '@reelbook/event-store/tables';
import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import type { Facts } from '@reelbook/ledger/descriptor';
import type { Hold } from '@reelbook/ledger/holds';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { findingsOn } from '@reelbook/ledger/operators/findings';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import type { ShownWithdrawal } from '@reelbook/projections/withdrawals/by-events';
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
  readonly hasPlayed: boolean;
  /** The row of the read model that named the withdrawal is not what the events give. */
  readonly differs: boolean;
  /** Earlier paid withdrawals, in total and to the same address. */
  readonly paid: number;
  readonly paidToAddress: number;
  /** Gross amount requested within the 24 hours before it, including this one. */
  readonly dayMinor: bigint;
  readonly hold: Hold | null;
  /** From the last audit of the console. */
  readonly luck: { readonly rounds: number; readonly eValue: string } | null;
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

/** The facts of a page of withdrawals by id, from the events of their players. */
export async function readRiskFacts(
  pool: pg.Pool,
  page: readonly ShownWithdrawal[],
  holds: ReadonlyMap<string, Hold>,
): Promise<ReadonlyMap<string, RiskFacts>> {
  const wallets = page.map(({ shown }) => shown.wallet);
  const [registered, played, lucky, operators] = await Promise.all([
    readRegistered(pool, wallets),
    rowsOf(pool, playedOf(wallets), 'read-played'),
    readLucky(pool),
    foldedState(pool, operatorsDecider, OPERATORS_STREAM),
  ]);
  return new Map(
    page.map(({ shown, differs, ofPlayer }) => {
      const { withdrawal, wallet, to_address: to, requested_at: at } = shown;
      const dayBefore = new Date(Date.parse(at) - DAY_MS).toISOString();
      const paid = ofPlayer.filter((one) => one.status === 'finalized' && one.requested_at < at);
      const ofDay = ofPlayer.filter(
        ({ status, requested_at: time }) => status !== 'released' && time > dayBefore && time <= at,
      );
      const facts = {
        registeredAt: registered.get(wallet)?.time ?? null,
        hasPlayed: played.some((one) => one.wallet === wallet),
        differs,
        paid: paid.length,
        paidToAddress: paid.filter(({ to_address }) => to_address === to).length,
        dayMinor: ofDay.reduce((sum, { net, fee }) => sum + BigInt(net) + BigInt(fee), 0n),
        hold: holds.get(withdrawal) ?? null,
        luck: lucky.get(wallet) ?? null,
        findings: findingsOn(operators.state, wallet),
      };
      return [withdrawal, facts];
    }),
  );
}

/** Those of the wallets that have placed a bet. */
const playedOf = (wallets: readonly string[]) => sql<{ wallet: string }>`
  select wallet from unnest(${[...new Set(wallets)]}::text[]) as asked(wallet)
    where exists (select from events
      where stream = stream_key('player-' || wallet) and type = 'BetPlaced')`;

/** Players that the last audit of the console reported as improbably lucky. Raw SQL: kysely cannot select rows from JSON. */
async function readLucky(pool: pg.Pool): Promise<ReadonlyMap<string, RiskFacts['luck']>> {
  const named = sql<{ player: string; rounds: number; eValue: string }>`
    select named.player, named.rounds, named.e_value as "eValue"
      from (select result from admin_jobs
        where kind = 'audit' and state = 'done' order by id desc limit 1) as last,
      json_to_recordset(last.result::json #> '{luck,named}')
        as named(player text, rounds int, e_value text)`;
  const rows = await rowsOf(pool, named, 'read-lucky');
  return new Map(rows.map(({ player, ...luck }) => [player, luck]));
}
