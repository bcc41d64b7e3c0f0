import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { WithdrawalsChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: WithdrawalsChanges): Promise<void> {
  const { requested, steps } = changes;
  await changeRows(client, { name: 'apply-withdrawals', text: INSERT }, requested);
  const ranks = Math.max(0, ...steps.map(({ rank }) => rank));
  for (let rank = 1; rank <= ranks; rank++) {
    const nth = steps.filter((step) => step.rank === rank);
    await changeRows(client, { name: 'apply-withdrawal-steps', text: STEP }, nth);
  }
}

const INSERT = `
  insert into withdrawals_v1 (withdrawal, wallet, to_address, net, fee, status, approved_by,
    attempts, requested_at, updated_at, position)
  select withdrawal, wallet, "to", "netMinor", "feeMinor", 'requested', '{}', 0, "requestedAt",
    "requestedAt", position
  from json_to_recordset($1) as new(withdrawal text, wallet text, "to" text, "netMinor" numeric,
    "feeMinor" numeric, "requestedAt" timestamptz, position bigint)`;

const STEP = `
  update withdrawals_v1 as row set
    status = coalesce(step.status, row.status),
    approved_by = case when step.approvals = 1 then '{}' else row.approved_by end
      || array_remove(array[step."approvedBy"], null),
    automatic_at = case when step.automatic then step."at" else row.automatic_at end,
    attempts = coalesce(step.attempt, row.attempts),
    signature = coalesce(step.signature, row.signature),
    transaction = coalesce(step.transaction, row.transaction),
    last_valid_block_height = coalesce(step."lastValidBlockHeight", row.last_valid_block_height),
    signed_slot = coalesce(step.slot, row.signed_slot),
    reason = coalesce(step.reason, row.reason),
    updated_at = step."at",
    position = step.position
  from json_to_recordset($1) as step(withdrawal text, status text, "approvedBy" text,
    approvals int, automatic boolean, attempt int, signature text, transaction text,
    "lastValidBlockHeight" bigint, slot bigint, reason text, "at" timestamptz, position bigint)
  where row.withdrawal = step.withdrawal`;
