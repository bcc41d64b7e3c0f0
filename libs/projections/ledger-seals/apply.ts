import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { Sealed } from './fold.ts';

export async function apply(client: pg.ClientBase, seals: readonly Sealed[]): Promise<void> {
  await changeRows(client, { name: 'apply-ledger-seals', text: INSERT }, seals);
}

const INSERT = `
  insert into ledger_seals_v1 (seal, from_position, to_position, root, chain_hash, position,
    sealed_at)
  select seal, "from", "to", root, "chainHash", position, "sealedAt"
  from json_to_recordset($1) as new(seal bigint, "from" bigint, "to" bigint, root text,
    "chainHash" text, position bigint, "sealedAt" timestamptz)`;
