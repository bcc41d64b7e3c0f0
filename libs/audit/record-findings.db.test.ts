import { startExecutor } from '@reelbook/event-store/execute';
import { readStream } from '@reelbook/event-store/read-stream';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { toText } from '@reelbook/ledger/money';
import type { FindingsRecorded } from '@reelbook/ledger/operators/findings';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Findings, NO_MONEY } from './findings.ts';
import { recordFindings } from './record-findings.ts';

let database: TestDatabase;
let pool: pg.Pool;
let player: string;
let position: number;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: Buffer.alloc(32, 1), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  player = await players.register();
  await executor.close();
  const [first] = await readStream(pool, {
    stream: playerStream(player),
    fromVersion: 1,
    limit: 1,
  });
  position = first?.position ?? 0;
});
afterAll(() => database.drop());

/** Of the newest event, after the findings are recorded. */
async function record(findings: Findings): Promise<FindingsRecorded['data'] | undefined> {
  await recordFindings(pool, { events: 9, headHash: 'ab', findings });
  const events = await readStream<FindingsRecorded>(pool, {
    stream: OPERATORS_STREAM,
    fromVersion: 1,
    limit: 1_000,
  });
  return events.at(-1)?.event.data;
}

const found = (...all: readonly Parameters<Findings['add']>[]) => {
  const findings = new Findings();
  for (const one of all) findings.add(...one);
  return findings;
};

test('the subject is the player of the event or state, the treasury, or the ledger', async () => {
  const recorded = await record(
    found(
      ['money', position, 'of an event of a player'],
      ['streams', null, 'of a state', { about: playerStream(player) }],
      ['sessions', null, 'of a session', { about: 'player-no wallet' }],
      ['treasury', null, 'of the treasury'],
      ['chain', position, 'of an altered row'],
      ['projections', null, 'of a read model'],
      ['projections', null, 'of one that is late', { about: NO_MONEY }],
    ),
  );
  const own = `player:${player}`;
  const subjects = recorded?.findings.map(({ subject }) => subject);
  expect(subjects).toEqual([own, own, 'ledger', 'treasury', 'ledger', 'ledger']);
  expect(recorded).toMatchObject({ auditedTo: 9, headHash: 'ab', total: 6 });
});

test('figures of a current state do not make a finding new; those of an event do', async () => {
  const text = (n: bigint) =>
    found(
      ['head', null, `is ${toText('points', n)} and ${toText('token', n)}`],
      ['rounds', position, `pays ${n}`],
    );
  expect((await record(text(100n)))?.findings).toHaveLength(2);
  for (const n of [250n, 3_000_000_000n]) {
    const messages = (await record(text(n)))?.findings.map(({ message }) => message);
    expect(messages).toEqual([`pays ${n}`]);
  }
});

test('thousands of findings are a bounded event, and the rest holds everything', async () => {
  const many = Array.from({ length: 5_000 }, (_, n): Parameters<Findings['add']> => {
    return ['terms', position, `${n} ${'\u202e\u0001'.repeat(500)}`];
  });
  const recorded = await record(found(...many));
  expect(recorded?.total).toBe(5_000);
  expect(recorded?.findings.length).toBeLessThanOrEqual(101);
  expect(recorded?.findings.at(-1)).toMatchObject({ subject: 'ledger', position: null });
  expect(JSON.stringify(recorded).length).toBeLessThan(100_000);
  const { rows } = await pool.query<{ version: number }>(
    'select version from streams where name = $1',
    [OPERATORS_STREAM],
  );
  await record(found(...many));
  const again = await pool.query('select version from streams where name = $1', [OPERATORS_STREAM]);
  expect(again.rows).toEqual(rows);
});
