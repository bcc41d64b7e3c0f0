import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { Revealed } from './fold.ts';

export async function apply(client: pg.ClientBase, revealed: readonly Revealed[]): Promise<void> {
  await changeRows(client, { name: 'apply-seeds', text: INSERT }, revealed);
}

const INSERT = `
  insert into seeds_v1 (wallet, pair, server_seed_hash, server_seed, client_seed, nonces, position,
    revealed_at)
  select wallet, pair, "serverSeedHash", "serverSeed", "clientSeed", nonces, position, "revealedAt"
  from json_to_recordset($1) as new(wallet text, pair bigint, "serverSeedHash" text,
    "serverSeed" text, "clientSeed" text, nonces bigint, position bigint, "revealedAt" timestamptz)`;
