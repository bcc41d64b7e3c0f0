import pg from 'pg';

/** The two events of a bet as JSON, as large as those of Reelbook with metadata. */
const ROUND = { round: 'AAAAAAAAAx-1', game: 'slot-machine', stakeMinor: '100' };
const SEEDS = { rules: 'slot-1', pair: 1, nonce: 1 };
const PLACED = JSON.stringify({
  type: 'BetPlaced',
  data: { ...ROUND, lines: 25, ...SEEDS, after: { pointsMinor: '99900', tokenMinor: '0' } },
  meta: { command: 'c'.repeat(32), correlation: 'd'.repeat(24) },
});
const ENDED = { outcome: { symbols: [4, 2, 4] }, payoutMinor: '100' };
const WON = JSON.stringify({
  type: 'BetWon',
  data: { ...ROUND, ...ENDED, after: { pointsMinor: '100000', tokenMinor: '0' } },
});

/**
 * What a developer would write by hand, without an event store or read models: one transaction per bet that locks the balance,
 * updates it and inserts two events.
 */
export async function openHandWritten(url: string, players: number, connections: number) {
  const name = 'hand-written';
  const pool = new pg.Pool({ connectionString: url, max: connections, application_name: name });
  // `end` resolves before its connections are closed: the shutdown of Postgres may still reach one.
  pool.on('error', () => {});
  await pool.query(`create table if not exists balances (player int primary key, points bigint not null);
    create table if not exists events (id bigint generated always as identity primary key,
      player int not null, body jsonb not null);
    create index if not exists events_of_player on events (player, id)`);
  await pool.query(
    `insert into balances select n, 1000000 from generate_series(0, $1::int - 1) n
      on conflict do nothing`,
    [players],
  );
  const statement = (name: string, text: string) => (values: unknown[]) => ({ name, text, values });
  const lock = statement('lock', 'select points from balances where player = $1 for update');
  const change = statement('change', 'update balances set points = $2 where player = $1');
  const insert = statement('insert', 'insert into events (player, body) values ($1, $2::jsonb)');
  return {
    close: () => pool.end(),
    /** @returns the points that are left. */
    async bet(player: number, delta: number): Promise<number> {
      const client = await pool.connect();
      try {
        await client.query('begin');
        const { rows } = await client.query(lock([player]));
        const points = Number(rows[0].points) + delta;
        await client.query(change([player, points]));
        await client.query(insert([player, PLACED]));
        await client.query(insert([player, WON]));
        await client.query('commit');
        return points;
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
  };
}
