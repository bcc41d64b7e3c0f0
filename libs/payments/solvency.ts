import { rowOf } from '@reelbook/event-store/query';
import { decode } from '@reelbook/ledger/codec';
import type { WithdrawConfig } from '@reelbook/ledger/config/config';
import type { ConfigState } from '@reelbook/ledger/config/decide';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { overCapMinor } from '@reelbook/ledger/treasury/in-flight';
import type { TreasuryState } from '@reelbook/ledger/treasury/state';
import { entries, LINES } from '@reelbook/projections/entries/projection';
import { reachedBy } from '@reelbook/projections/projection';
import { sql } from 'kysely';
import type pg from 'pg';

export type Solvency = Awaited<ReturnType<typeof readSolvency>>;

interface Row {
  position: number;
  margin: string;
  reached: number | null;
  lines: string | null;
  treasury: string | null;
  config: string | null;
  requested: number;
  approved: number;
  signed: number;
  on_hold: number;
  oldest_s: number;
  unrecorded: number;
}

/**
 * Assets and liabilities in minor units of token. One statement, so one snapshot. The read models may lag behind the head;
 * `reached` is their position.
 */
export async function readSolvency(pool: pg.Pool) {
  const row = await rowOf(pool, SOLVENCY, 'read-solvency');
  if (!row) throw new Error('the ledger has no head');
  const lines = JSON.parse(row.lines ?? '{}') as Readonly<Record<string, string>>;
  const line = (name: string) => BigInt(lines[name] ?? 0);
  const treasury = treasuryOf(row);
  const terms = termsOf(row);
  const [playersMinor, heldMinor, unmatchedMinor] = [
    line('players'),
    line('withdrawals'),
    line('unmatched'),
  ];
  const chainMinor = -line('chain');
  return {
    position: row.position,
    reached: row.reached ?? 0,
    playersMinor,
    heldMinor,
    unmatchedMinor,
    // What is owed: balances of players, unpaid withdrawals, unmatched deposits.
    liabilitiesMinor: playersMinor + heldMinor + unmatchedMinor,
    // Also of open withdrawals.
    feesMinor: line('fees'),
    houseMinor: line('house'),
    // Arrivals less payments over the chain, by the ledger.
    chainMinor,
    // As last observed; null before the first observation.
    onChainMinor: treasury.tokenMinor,
    slot: treasury.slot ?? null,
    // 0: no cap.
    hotWalletMaxMinor: terms.hotWalletMaxTokenMinor,
    overCapMinor: overCapMinor(treasury.tokenMinor ?? 0n, terms),
    // On the chain but not in the ledger.
    inFlightMinor: treasury.netDepositsMinor - chainMinor,
    // What does not cover liabilities yet.
    marginMinor: BigInt(row.margin),
    queues: {
      requested: row.requested,
      approved: row.approved,
      signed: row.signed,
      // Approved.
      onHold: row.on_hold,
      oldestWithdrawalS: row.oldest_s,
      unmatched: treasury.unmatched.count,
      unrecorded: row.unrecorded,
    },
  };
}

function treasuryOf({ treasury }: Row): TreasuryState {
  return treasury === null ? treasuryDecider.initial : decode(treasury);
}

/** No cap before the first configuration. */
function termsOf({ config }: Pick<Row, 'config'>): Pick<WithdrawConfig, 'hotWalletMaxTokenMinor'> {
  const state = config === null ? null : decode<ConfigState>(config);
  return state?.config?.withdraw ?? { hotWalletMaxTokenMinor: 0n };
}

/** Raw SQL, because lateral joins and filtered counts are clearer than with the builder. */
const SOLVENCY = sql<Row>`
  select ledger_head.position, ledger_head.token_margin as margin,
    ${reachedBy(entries)} as reached,
    (select json_object_agg(line, after::text)
      from unnest(${sql.lit(`{${LINES.join()}}`)}::text[]) as line, lateral (
        select after from projections.entries_balances_v1 as held
        where held.line = line.line and asset = 'token' order by block desc limit 1) as last
    ) as lines,
    (select state from streams where key = stream_key('treasury')) as treasury,
    (select state from streams where key = stream_key('config')) as config,
    open.*,
    (select count(*)::int from treasury_movements where not recorded and kind <> 'dust') as unrecorded
  from ledger_head, lateral (
    select count(*) filter (where status = 'requested')::int as requested,
      count(*) filter (where status = 'approved')::int as approved,
      count(*) filter (where status = 'signed')::int as signed,
      (count(hold.withdrawal) filter (where status <> 'requested'))::int as on_hold,
      coalesce(extract(epoch from now() - min(requested_at)), 0)::int as oldest_s
    from projections.withdrawals_v1 left join withdrawal_wait_reasons as hold using (withdrawal)
    where status in ('requested', 'approved', 'signed')) as open`;
