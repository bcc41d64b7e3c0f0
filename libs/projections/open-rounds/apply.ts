import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { OpenRoundsChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: OpenRoundsChanges): Promise<void> {
  await changeRows(client, { name: 'apply-rounds-ended', text: DELETE }, changes.ended);
  await changeRows(client, { name: 'apply-rounds-begun', text: INSERT }, changes.begun);
}

const INSERT = `
  insert into open_rounds_v1 (round, wallet, game, position, due_at)
  select round, wallet, game, position, "dueAt"
  from json_to_recordset($1) as new(round text, wallet text, game text, position bigint,
    "dueAt" timestamptz)`;

const DELETE = `
  delete from open_rounds_v1 as begun using json_to_recordset($1) as ended(round text)
  where begun.round = ended.round`;
