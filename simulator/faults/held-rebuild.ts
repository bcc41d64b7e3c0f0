import type { TestSite } from '../stages/site.ts';

/**
 * Keeps a rebuild of that projection from creating its tables, until it is released: what a test does
 * meanwhile happens in the middle of it.
 * @returns lets go.
 */
export async function holdRebuild(
  { database }: Pick<TestSite, 'database'>,
  readModel: string,
): Promise<() => Promise<void>> {
  const client = await database.pool('owner', 1).connect();
  await client.query('begin');
  // Not committed: another insert of the same key waits for this transaction.
  await client.query(
    `insert into checkpoints (name, version) select name || '@rebuilt', version from checkpoints
      where name = $1`,
    [readModel],
  );
  return async () => {
    await client.query('rollback');
    client.release();
  };
}
