import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { SealChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: SealChanges): Promise<void> {
  await changeRows(client, { name: 'apply-ledger-seals', text: INSERT_SEALS }, changes.seals);
  await changeRows(client, { name: 'apply-ledger-anchors', text: INSERT_ANCHORS }, changes.anchors);
}

const INSERT_SEALS = `
  insert into ledger_seals_v2 (seal, from_position, to_position, root, chain_hash, position,
    sealed_at)
  select seal, "from", "to", root, "chainHash", position, "sealedAt"
  from json_to_recordset($1) as new(seal bigint, "from" bigint, "to" bigint, root text,
    "chainHash" text, position bigint, "sealedAt" timestamptz)`;

const INSERT_ANCHORS = `
  insert into ledger_anchors_v2 (seal, from_seal, seals_root, wallet, signature, slot, position,
    anchored_at)
  select seal, "fromSeal", "sealsRoot", wallet, signature, slot, position, "anchoredAt"
  from json_to_recordset($1) as new(seal bigint, "fromSeal" bigint, "sealsRoot" text, wallet text,
    signature text, slot bigint, position bigint, "anchoredAt" timestamptz)`;
