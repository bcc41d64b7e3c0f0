import { defaultConfig } from '@reelbook/ledger/config/config';
import type pg from 'pg';
import { applyNames } from '../players.ts';
import { changeRows } from '../statement.ts';
import type { RecentWinsChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: RecentWinsChanges): Promise<void> {
  await applyNames(client, 'recent_wins_players_v1', changes.names);
  await changeRows(client, { name: 'apply-multiples', text: MULTIPLES }, changes.multiples);
  const values = [defaultConfig.bigWinMultiple];
  await changeRows(client, { name: 'apply-recent-wins', text: BIG_WINS, values }, changes.wins);
}

const MULTIPLES = `
  insert into recent_wins_multiples_v1 (position, multiple)
  select position, multiple from json_to_recordset($1) as new(position bigint, multiple numeric)`;

const BIG_WINS = `
  insert into recent_wins_v1 (position, wallet, game, round, stake, payout, created_at)
  select position, wallet, game, round, "stakeMinor", "payoutMinor", "createdAt"
  from json_to_recordset($1) as win(position bigint, wallet text, game text, round text,
    "stakeMinor" numeric, "payoutMinor" numeric, "createdAt" timestamptz)
  where win."payoutMinor" >= win."stakeMinor" * coalesce((
    select multiple from recent_wins_multiples_v1 as set_before
    where set_before.position < win.position
    order by set_before.position desc limit 1), $2::numeric)`;
