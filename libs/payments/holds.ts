import type pg from 'pg';

/** Why a withdrawal waits, by its id. One that has ended waits for nothing, whatever the cashier said last. */
export async function readHolds(
  db: pg.Pool | pg.PoolClient,
  withdrawals: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await db.query<{ withdrawal: string; reason: string }>({
    name: 'read-holds',
    text: `select withdrawal, hold.reason from withdrawal_holds as hold
        join projections.withdrawals_v1 using (withdrawal)
      where withdrawal = any($1::text[]) and status in ('requested', 'approved', 'signed')`,
    values: [withdrawals],
  });
  return new Map(rows.map(({ withdrawal, reason }) => [withdrawal, reason]));
}

/** Says why a withdrawal waits; null: it does not. @returns whether that is news. */
export async function setHold(
  db: pg.Pool | pg.PoolClient,
  withdrawal: string,
  reason: string | null,
): Promise<boolean> {
  const { rowCount } =
    reason === null
      ? await db.query({
          name: 'end-hold',
          text: 'delete from withdrawal_holds where withdrawal = $1',
          values: [withdrawal],
        })
      : await db.query({
          name: 'set-hold',
          text: `insert into withdrawal_holds as hold (withdrawal, reason) values ($1, $2)
            on conflict (withdrawal) do update set reason = excluded.reason, since = now()
            where hold.reason <> excluded.reason`,
          values: [withdrawal, reason],
        });
  return rowCount === 1;
}
