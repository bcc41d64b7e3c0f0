import type pg from 'pg';
import { applyNames } from '../players.ts';
import { changeRows } from '../statement.ts';
import type { RecentWinsChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: RecentWinsChanges): Promise<void> {
  await applyNames(client, 'recent_wins_players_v2', changes.names);
  await changeRows(client, { name: 'apply-recent-wins', text: WINS }, changes.wins);
}

const WINS = `
  insert into recent_wins_v2 (position, wallet, game, round, stake, payout, created_at)
  select position, wallet, game, round, "stakeMinor", "payoutMinor", "createdAt"
  from json_to_recordset($1) as win(position bigint, wallet text, game text, round text,
    "stakeMinor" numeric, "payoutMinor" numeric, "createdAt" timestamptz)`;
