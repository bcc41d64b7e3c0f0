import type pg from 'pg';
import { applyNames } from '../players.ts';
import { changeRows } from '../statement.ts';
import type { ExplorerChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: ExplorerChanges): Promise<void> {
  await applyNames(client, 'explorer_players_v3', changes.names);
  await changeRows(client, { name: 'apply-explorer', text: INSERT }, changes.entries);
}

const INSERT = `
  insert into explorer_v3 (position, recorded_at, type, kind, wallet, version, points, token, game,
    round, rules, correlation, command, actor, signature, withdrawal, hash_prefix)
  select position, "time", type, kind, wallet, version, "pointsMinor", "tokenMinor", game, round,
    rules, correlation, command, actor, signature, withdrawal, "hashPrefix"
  from json_to_recordset($1) as entry(position bigint, "time" timestamptz, type text, kind text,
    wallet text, version bigint, "pointsMinor" bigint, "tokenMinor" bigint, game text, round text,
    rules text, correlation text, command text, actor text, signature text, withdrawal text,
    "hashPrefix" bigint)`;
