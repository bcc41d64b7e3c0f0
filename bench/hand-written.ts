/**
 * The service that a developer would write by hand, as a process: routes, token check and schemas of the echo, an HMAC
 * draw, and one transaction per bet that locks the balance, updates it and inserts two events. No read models.
 */
import { createHmac } from 'node:crypto';
import pg from 'pg';
import { listenAuthenticated } from './authenticated.ts';
import { PLACED, WON } from './peers.ts';

const [, , port = '0', key = '', url = '', players = '64'] = process.argv;

const pool = new pg.Pool({ connectionString: url, max: 16, application_name: 'hand-written' });
await pool.query(`create table if not exists balances (player int primary key, points bigint not null);
  create table if not exists events (id bigint generated always as identity primary key,
    player int not null, body jsonb not null);
  create index on events (player, id)`);
await pool.query('insert into balances select n, 1000000 from generate_series(0, $1::int - 1) n', [
  players,
]);

const statement = (name: string, text: string) => (values: unknown[]) => ({ name, text, values });
const lock = statement('lock', 'select points from balances where player = $1 for update');
const change = statement('change', 'update balances set points = $2 where player = $1');
const insert = statement('insert', 'insert into events (player, body) values ($1, $2::jsonb)');

let spins = 0;
await listenAuthenticated({
  port: Number(port),
  key,
  path: '/bet',
  async answer({ bet_amount, lines }) {
    const player = spins++ % Number(players);
    const draw = createHmac('sha256', key).update(`client-seed:${spins}:0`).digest();
    const payout = draw.readUInt32BE(0) % 2 === 0 ? 2 * bet_amount : 0;
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query(lock([player]));
      const points = Number(rows[0].points) - bet_amount + payout;
      await client.query(change([player, points]));
      await client.query(insert([player, PLACED]));
      await client.query(insert([player, WON]));
      await client.query('commit');
      return { bet_amount, lines, payout, points };
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
  },
});
