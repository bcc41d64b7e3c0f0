import { createHash, randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { encode } from '@reelbook/ledger/codec';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { EVENT_TYPES, type EventType } from '@reelbook/ledger/event-types';
import { playerStream } from '@reelbook/ledger/streams';
import { projections } from '@reelbook/projections/all';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { FORMS_FILE, makeForms } from '@reelbook/testing/event-forms';
import { goldenStreams } from '@reelbook/testing/golden';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { createRandom, pick } from '@reelbook/testing/random';
import { read } from '@reelbook/testing/repository';
import { SEED } from '@reelbook/testing/seeds';
import { sealAgain, tamperWith } from '@reelbook/testing/tamper';
import { observeTreasury } from '@reelbook/testing/treasury';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';
import { Findings, groupFindings } from './findings.ts';
import { formFault } from './forms.ts';
import { checkProjections } from './projections-check.ts';
import { describeReport } from './report.ts';

/** Rows that no append writes, as an attacker with write access to the table can leave them. */

let database: TestDatabase;
let pool: pg.Pool;
let owner: pg.Pool;
let vault: SeedVault;
let player: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  owner = database.pool('owner');
  vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  await observeTreasury(pool, 100_000_000_000n);
  const wallet = await players.register();
  for (let n = 0; n < 4; n++) await players.spin(wallet, 1);
  await players.rotate(wallet);
  await players.spin(wallet, 1);
  const admin = createWallet().address;
  await addOperator(pool, admin, 'admin');
  await signInOperator(pool, admin);
  await executor.close();
  player = playerStream(wallet);
});
afterAll(() => database.drop());

const audit = () => auditLedger({ pool, vault, onProgress() {} });

/** The data of an event of each type, as stored. */
const data = new Map<EventType, string>(
  goldenStreams.flatMap(({ events }) =>
    events.map((event) => [event.type, encode(event.data)] as const),
  ),
);
data.set('ConfigChanged', encode({ before: null, after: defaultConfig, reason: 'a test' }));
const types = Object.keys(EVENT_TYPES) as EventType[];

/** JSON that an event may have in place of a value; the empty text leaves it out. */
const VALUES: readonly string[] = [
  ...['', 'null', 'true', '5', '-1', '1.5', '1e999', '-1e999', '9007199254740993', '[]', '[null]'],
  ...['{}', '{"__proto__":{"x":1}}', '{"toString":5,"constructor":null}', '""', '"x"', '"NaN"'],
  ...['"12.5"', '"-1"', '"0x10"', '"99999999999999999999999999999999"', '"infinity"'],
  ...['"\\u0000"', '"a\\ud800"', '"\\udc00"', '"\\u202e"', '"\\\\u0000"'],
  `${'['.repeat(2_000)}${']'.repeat(2_000)}`,
  `"${'long '.repeat(200_000)}"`,
];
const MARK = '"@ the value @"';

interface Tree {
  [key: string]: unknown;
}

function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [
    [key],
    ...pathsOf(inner).map((path) => [key, ...path]),
  ]);
}

/** The text with another value at a path. */
function mutate(text: string, path: readonly string[], value: string): string {
  const tree = JSON.parse(text) as Tree;
  const holder = path.slice(0, -1).reduce((at, key) => at[key] as Tree, tree);
  const last = path.at(-1) ?? '';
  if (value === '') delete holder[last];
  else holder[last] = JSON.parse(MARK);
  return JSON.stringify(tree).replace(MARK, () => value);
}

const random = createRandom(SEED);
const mutant = (text: string) =>
  mutate(text, pick(random, pathsOf(JSON.parse(text))), pick(random, VALUES));

const streamOf = (type: EventType) => (EVENT_TYPES[type] === 'player' ? player : EVENT_TYPES[type]);

interface Row {
  readonly position: number;
  readonly hash: Buffer;
  readonly time: string;
  readonly version: number;
}

/** Adds an event after the last one, without the key of its command, and without head and state. */
async function add(
  client: pg.PoolClient,
  type: EventType,
  { change, isHashed = true }: { change(text: string): string; readonly isHashed?: boolean },
): Promise<{ readonly position: number; readonly body: string }> {
  const stream = streamOf(type);
  const { rows } = await client.query<Row>(
    `select position, hash, recorded_at as time, 1 + coalesce((select max(version) from events
        where stream = stream_key($1)), 0) as version
      from events order by position desc limit 1`,
    [stream],
  );
  const { position: last, hash: before, time, version } = rows[0] as Row;
  const position = last + 1;
  const meta = { command: 'f'.repeat(32), correlation: 'a test', actor: 'system:thief' };
  const own = JSON.parse(data.get(type) ?? '') as object;
  const body = change(JSON.stringify({ position, stream, version, type, time, data: own, meta }));
  const hash = createHash('sha256').update(before);
  await client.query(
    `insert into events (position, first_position, version, recorded_at, stream, type, body, hash)
      values ($1, $1, $2, $3, stream_key($4), $5, $6, $7)`,
    [position, version, time, stream, type, body, hash.update(isHashed ? body : '').digest()],
  );
  return { position, body };
}

/** Few, because a report keeps 100 findings. */
const AT_ONCE = 6;

/** All types, in a random order. */
function batches(): readonly (readonly EventType[])[] {
  const order = types.map((type) => [random(), type] as const).sort(([a], [b]) => a - b);
  return Array.from({ length: Math.ceil(order.length / AT_ONCE) }, (_, n) =>
    order.slice(n * AT_ONCE, (n + 1) * AT_ONCE).map(([, type]) => type),
  );
}

/** The audit of the ledger with these changes, as far as an operator sees it. */
async function audited(change: (client: pg.PoolClient) => Promise<void>) {
  const report = await tamperWith(owner, change, audit);
  expect(groupFindings(report.findings)).not.toEqual([]);
  expect(describeReport(report, null, 1, 'a test')).toContain('FAULTY');
  return report.findings.kept;
}

it('every type of event has a sample, of the form of its type', () => {
  expect(types.filter((type) => !data.has(type))).toEqual([]);
  const all = goldenStreams.flatMap(({ events }) => events);
  const faults = all.map((event) => formFault(event.type, event.data));
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

it('the forms are those of the types', () => {
  // `npm run generate` writes them.
  expect(makeForms()).toBe(read(FORMS_FILE));
});

it.each([
  ['without', false],
  ['with', true],
])(
  'forged events of every type %s a valid hash are findings that name them',
  async (_, isHashed) => {
    for (const batch of batches()) {
      const added: { position: number; body: string }[] = [];
      const kept = await audited(async (client) => {
        for (const type of batch) added.push(await add(client, type, { change: mutant, isHashed }));
      });
      const missed = added.filter(({ position }) => !kept.some((one) => one.position === position));
      expect(missed.map(({ body }) => body.slice(0, 2_000))).toEqual([]);
    }
  },
);

it.each([
  ['a NUL in the meta', (body: string) => body.replace('a test', '\\u0000')],
  ['half a character', (body: string) => body.replace('a test', '\\ud800')],
  ['text as an amount', (body: string) => body.replace(/Minor":"\d+"/, 'Minor":"1.5"')],
  ['a number as an amount', (body: string) => body.replace(/Minor":"(\d+)"/, 'Minor":$1')],
  ['no object', () => '5'],
  ['null', () => 'null'],
  ['a list', () => '[{"meta":{"command":"\\u0000"}}]'],
  ['a stream that is no text', (body: string) => body.replace(/"stream":"[^"]*"/, '"stream":{}')],
  [
    'a time that is no text',
    (body: string) => body.replace(/"time":"[^"]*"/, '"time":{"toString":1}'),
  ],
  ['a version that is no number', (body: string) => body.replace(/"version":\d+/, '"version":"1"')],
])('%s is a finding that names its event', async (_, change) => {
  let at = 0;
  const kept = await audited(async (client) => {
    at = (await add(client, 'BetPlaced', { change })).position;
    // Intact, but in the same stream.
    await add(client, 'NicknameChanged', { change: (body) => body });
  });
  const of = kept.filter(({ position }) => position === at).map(({ check }) => check);
  expect(of).toContain('columns');
});

it.each([
  ['position', '4611686018427387904'],
  ['version', '4611686018427387904'],
  ['recorded_at', "'infinity'"],
  ['recorded_at', "'4713-01-01 BC'"],
])('a column %s of %s is a finding', async (column, value) => {
  let at = 0;
  const kept = await audited(async (client) => {
    at = (await add(client, 'BetPlaced', { change: (body) => body })).position;
    await client.query(`update events set ${column} = ${value} where position = $1`, [at]);
  });
  const found = kept.map(({ position }) => position);
  expect(found).toContain(column === 'position' ? Number.MAX_SAFE_INTEGER : at);
});

it('an altered seed, login or command leaves the other checks', async () => {
  const kept = await audited(async (client) => {
    await client.query(
      String.raw`update events set body = regexp_replace(body::text, '"data":\{', '"data":{"x":"\\u0000",')::json
        where type in ('SeedRevealed', 'PlayerRegistered', 'OperatorAdded')`,
    );
    await client.query(`update streams set state = '{"pointsMinor":"x"}' where name = $1`, [
      player,
    ]);
    await sealAgain(client);
  });
  expect(kept.filter(({ check }) => check === 'columns')).toHaveLength(3);
  expect(kept.map(({ check }) => check)).toEqual(
    expect.arrayContaining(['idempotency-keys', 'seeds', 'streams']),
  );
});

it('projections that meet such an event cannot be compared', async () => {
  const checkAll = async () => {
    const findings = new Findings();
    await checkProjections({ pool, projections, findings, onProgress() {} });
    return findings.kept.map(({ message }) => message);
  };
  const compared = (change: (text: string) => string) =>
    tamperWith(
      owner,
      async (client) => {
        const { position } = await add(client, 'BetPlaced', { change });
        for (const { name, version } of projections) {
          await client.query(
            `insert into checkpoints (name, version, position) values ($1, $2, $3)
              on conflict (name, version) do update set position = excluded.position`,
            [name, version, position],
          );
        }
      },
      checkAll,
    );
  const messages = await compared((body) =>
    body.replace(/"stakeMinor":"\d+"/, '"stakeMinor":"1.5"'),
  );
  expect(messages).toHaveLength(projections.length);
  for (const message of messages)
    expect(message).toMatch(/cannot be compared: Bug: #\d+ cannot be read/);
  expect(await compared(mutant)).not.toEqual([]);
});
