import { byteaArray, int8Array, textArray, uuidArray } from '@reelbook/event-store/binary-array';
import type { Spine } from '@reelbook/event-store/execute';
import type pg from 'pg';
import type { Subject } from './measure.ts';
import { bet } from './players.ts';

/** Bets through the spine, one wallet after the other, so that a wallet rests while the others play. */
export function ours(spine: Spine, wallets: readonly string[], name: string): Subject {
  let turn = 0;
  return {
    name,
    async operate() {
      const wallet = wallets[turn++ % wallets.length] ?? '';
      const executed = await spine.execute(bet(wallet));
      if (executed.kind !== 'done') throw new Error(`a bet was ${executed.kind}`);
    },
  };
}

const IN_FLIGHT_MAX = 2;
const BATCH = 64;

/**
 * The ceiling of this schema: the same rows into a table with the same indexes, 64 commands a statement, two on the
 * way, in binary arrays; no claim, no version, no chain, no tip, no decision.
 */
export async function bare(pool: pg.Pool): Promise<Subject> {
  await pool.query(`drop table if exists bare_events;
    create table bare_events (like events including all);
    create sequence if not exists bare_position`);
  const body = await sampleBody(pool);
  const waiting: (() => void)[] = [];
  let inFlight = 0;
  let stream = 0;
  const hash = Buffer.alloc(32, 7);
  function pump() {
    while (inFlight < IN_FLIGHT_MAX && waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      inFlight++;
      const rows = batch.length * 2;
      const filled = <T>(value: T) => Array<T>(rows).fill(value);
      const streams = Array.from({ length: rows }, () => {
        const key = Buffer.alloc(16);
        key.writeUInt32BE(stream++ % 0xffffffff, 12);
        key.writeUInt32BE((stream * 2_654_435_761) >>> 0, 0);
        return key;
      });
      void pool
        .query({
          name: 'bare',
          text: `insert into bare_events (position, first_position, stream, version, type, body, hash, recorded_at)
            select nextval('bare_position'), 0, s, v, t, b::json, h, now()
            from unnest($1::uuid[], $2::int8[], $3::text[], $4::text[], $5::bytea[]) as x(s, v, t, b, h)`,
          values: [
            uuidArray(streams),
            int8Array(filled(1)),
            textArray(filled('BetPlaced')),
            textArray(filled(body)),
            byteaArray(filled(hash)),
          ],
        })
        .then(() => {
          inFlight--;
          for (const done of batch) done();
          pump();
        });
    }
  }
  return {
    name: 'bare multi-row INSERT',
    operate: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        pump();
      }),
  };
}

/** A real body, so that both write as many bytes. */
async function sampleBody(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ body: string }>(
    "select body from events where type = 'BetPlaced' order by length(body::text) limit 1",
  );
  return rows[0]?.body ?? '{}';
}
