/**
 * The audit and the rebuild of each read model, compared with reading the same rows and parsing their JSON in one
 * process.
 */
import { auditLedger } from '@reelbook/audit/audit';
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { migrateAll, projections } from '@reelbook/projections/all';
import { replayInto } from '@reelbook/projections/compare';
import { catchUp, type Taken, takeParallel } from '@reelbook/projections/parallel';
import { discard } from '@reelbook/projections/switch';
import { createPlayers } from '@reelbook/testing/history';
import type pg from 'pg';

const ALL_TOGETHER = 'rebuild all in one read';
const PLAYERS = 1_000;
const PLAYED_IN_PARALLEL = 250;
const ROWS_PER_READ = 5_000;
const KEY = Buffer.alloc(32, 5);

export interface ReadingOptions {
  readonly url: string;
  readonly events: number;
  readonly rounds: number;
  print(line: string): void;
}

export async function benchReading(options: ReadingOptions): Promise<void> {
  const owner = openPool({ url: options.url, role: 'owner', max: 2, name: 'bench' });
  await migrateAll(owner);
  const app = openPool({ url: options.url, role: 'app', max: 4, name: 'bench' });
  const projector = openPool({ url: options.url, role: 'projector', max: 4, name: 'bench' });
  const vault = openSeedVault({ pool: app, key: KEY, keyId: 'bench' });
  options.print(`appending ${options.events.toLocaleString('en-US')} events`);
  const head = await play(app, vault, options.events);
  await owner.query('vacuum analyze events');
  const subjects: [string, () => Promise<unknown>][] = [
    ['read and parse', () => readAndParse(app, head)],
    ['audit', () => auditLedger({ pool: app, vault, onProgress: () => {} })],
    ...projections.map((projection): [string, () => Promise<unknown>] => [
      `rebuild ${projection.name}`,
      () => rebuild(projector, projection, head),
    ]),
    [ALL_TOGETHER, () => rebuildAll(projector, head)],
  ];
  const rates = new Map<string, number[]>();
  for (let round = 0; round < options.rounds; round++) {
    for (const [name, run] of subjects) {
      const begun = performance.now();
      await run();
      const rate = head / ((performance.now() - begun) / 1_000);
      rates.set(name, [...(rates.get(name) ?? []), rate]);
    }
  }
  const medianOf = (name: string) => {
    const list = [...(rates.get(name) ?? [])].sort((a, b) => a - b);
    return list[Math.floor(list.length / 2)] ?? Number.NaN;
  };
  const baseline = medianOf('read and parse');
  for (const [name] of subjects) {
    const rate = medianOf(name);
    const ratio = (rate / baseline).toFixed(2);
    options.print(
      `${name.padEnd(24)} ${Math.round(rate).toLocaleString('en-US').padStart(9)} events/s   ${ratio}   (goal 0.4)`,
    );
  }
  options.print(
    `one by one            ${projections.reduce((sum, { name }) => sum + baseline / medianOf(`rebuild ${name}`), 0).toFixed(1)} times the baseline`,
  );
  options.print(
    `all in one read       ${(baseline / medianOf(ALL_TOGETHER)).toFixed(1)} times the baseline   (goal 3)`,
  );
  await Promise.all([app.end(), projector.end(), owner.end()]);
}

async function play(pool: pg.Pool, vault: SeedVault, events: number): Promise<number> {
  const executor = startExecutor({ pool });
  const remembered = new Map<string, Promise<string>>();
  const remembering: SeedVault = {
    create: vault.create,
    findFaults: vault.findFaults,
    open(hash) {
      const known = remembered.get(hash) ?? vault.open(hash);
      remembered.set(hash, known);
      return known;
    },
  };
  const players = createPlayers({ executor, vault: remembering });
  await players.configure();
  const wallets: string[] = [];
  while (wallets.length < PLAYERS) {
    const some = Array.from({ length: PLAYED_IN_PARALLEL }, () => players.register());
    wallets.push(...(await Promise.all(some)));
  }
  for (let n = 0; n * 2 < events; n += PLAYED_IN_PARALLEL) {
    const turn = Array.from(
      { length: PLAYED_IN_PARALLEL },
      (_, i) => wallets[(n + i) % PLAYERS] ?? '',
    );
    await Promise.all(turn.map((wallet) => players.spin(wallet, 1)));
  }
  await executor.close();
  const { rows } = await pool.query<{ position: number }>('select position from ledger_head');
  return rows[0]?.position ?? 0;
}

/** The baseline: the same columns in the same batches, the next batch prefetched, each body parsed. */
async function readAndParse(pool: pg.Pool, head: number): Promise<void> {
  const read = (after: number) =>
    pool.query<{ position: number; body: string }>({
      name: 'read-and-parse',
      text: `select position, first_position, stream, version, type, body, hash, recorded_at
        from events where position > $1 order by position limit $2`,
      values: [after, ROWS_PER_READ],
    });
  let seen = 0;
  let reading = read(0);
  while (seen < head) {
    const { rows } = await reading;
    seen = rows.at(-1)?.position ?? head;
    reading = read(seen);
    for (const { body } of rows) JSON.parse(body);
  }
  await reading;
}

/** Rebuilds all read models next to the live ones, without read indexes and comparison. */
async function rebuildAll(pool: pg.Pool, head: number): Promise<void> {
  const all: Taken[] = [];
  for (const projection of projections) {
    all.push(await takeParallel(pool, { projection, place: 'rebuilt', holder: 'bench' }));
  }
  await catchUp(all, head, {});
  for (const taken of all) await discard(taken);
}

async function rebuild(pool: pg.Pool, projection: (typeof projections)[number], head: number) {
  const client = await pool.connect();
  try {
    await replayInto(pool, client, projection, { upTo: head });
  } finally {
    client.release(true);
  }
}
