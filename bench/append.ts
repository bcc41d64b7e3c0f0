/** Appends of bet commands with all guarantees, compared with other stores on the same Postgres. */
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { migrate } from '@reelbook/event-store/migrate';
import type pg from 'pg';
import {
  closedLoop,
  describe,
  type Sample,
  type Subject,
  type Summary,
  summarize,
} from './measure.ts';
import { makeBare, ours } from './ours.ts';
import { emmett, messageDb, naive, type Peer } from './peers.ts';
import { makeWallets, registerAll } from './players.ts';

const IN_FLIGHT = 256;
const PEER_WORKERS = [16, 64] as const;

export interface AppendOptions {
  readonly url: string;
  readonly seconds: number;
  readonly rounds: number;
  /** Number of streams in the large run. */
  readonly many: number;
  print(line: string): void;
}

export async function benchAppend(options: AppendOptions): Promise<void> {
  const owner = openPool({ url: options.url, role: 'owner', max: 2, name: 'bench' });
  await migrate(owner);
  const app = openPool({ url: options.url, role: 'app', max: 4, name: 'bench' });
  const executor = startExecutor({ pool: app });
  const bare = await openBare(options.url, owner);
  const run = String(Date.now());
  const thousand = makeWallets(1_000, `${run}k`);
  const many = makeWallets(options.many, `${run}m`);
  options.print(`registering ${thousand.length + many.length} players`);
  await registerAll(executor, [...thousand, ...many]);
  const held = (subject: Subject): Cell => ({
    workers: IN_FLIGHT,
    open: async () => ({ ...subject, close: async () => {} }),
  });
  const cells: Cell[] = [
    held(ours(executor, thousand, 'reelbook, 1,000 players')),
    held(ours(executor, many, `reelbook, ${options.many.toLocaleString('en-US')} players`)),
    held(ours(executor, thousand.slice(0, 1), 'reelbook, one hot player')),
    held(ours(bare.executor, bare.wallets, 'bare multi-row INSERT')),
    ...PEER_WORKERS.flatMap((workers) =>
      [messageDb, emmett, naive].map((open) => ({
        workers,
        open: () => open(options.url, workers),
      })),
    ),
  ];
  const results = await inTurn(owner, cells, options);
  report(results, options.print);
  await bare.close();
  await executor.close();
  await app.end();
  await owner.end();
}

/** A second database in the same Postgres, where `append` only inserts. */
async function openBare(url: string, owner: pg.Pool) {
  const name = `bare_${Date.now()}`;
  await owner.query(`create database ${name}`);
  const there = Object.assign(new URL(url), { pathname: `/${name}` }).href;
  const pools = (['owner', 'app'] as const).map((role) =>
    openPool({ url: there, role, max: 4, name: 'bench' }),
  );
  const [boss, app] = pools as [pg.Pool, pg.Pool];
  await migrate(boss);
  const executor = startExecutor({ pool: app });
  const wallets = makeWallets(1_000, `${Date.now()}b`);
  await registerAll(executor, wallets);
  await makeBare(boss);
  return {
    executor,
    wallets,
    async close() {
      await executor.close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** Opened for its turn and closed after it: all peers together need more connections than Postgres allows. */
export interface Cell {
  readonly workers: number;
  open(): Promise<Peer>;
}

/** Runs all cells once, then all again, so that drift of the machine affects all of them. */
export async function inTurn(
  owner: pg.Pool,
  cells: readonly Cell[],
  options: Pick<AppendOptions, 'rounds' | 'seconds' | 'print'>,
): Promise<ReadonlyMap<string, Summary>> {
  const samples = new Map<string, Sample[]>();
  for (let round = 1; round <= options.rounds; round++) {
    for (const { open, workers } of cells) {
      await owner.query('checkpoint');
      const subject = await open();
      const sample = await closedLoop(subject, { workers, seconds: options.seconds });
      await subject.close();
      const key = `${subject.name} at ${workers}`;
      samples.set(key, [...(samples.get(key) ?? []), sample]);
      options.print(`round ${round}: ${key}: ${Math.round(sample.rate).toLocaleString('en-US')}/s`);
    }
  }
  return new Map([...samples].map(([key, some]) => [key, summarize(some)]));
}

function report(results: ReadonlyMap<string, Summary>, print: (line: string) => void): void {
  print('');
  for (const [key, cell] of results) print(`${key.padEnd(40)} ${describe(cell)}`);
  const rate = (name: string) =>
    Math.max(
      ...[...results].filter(([key]) => key.startsWith(name)).map(([, cell]) => cell.median.rate),
    );
  const base = rate('reelbook, 1,000');
  const ratio = (name: string, other: number, goal: string) =>
    print(`ratio ${name.padEnd(52)} ${other.toFixed(2)}   (goal ${goal})`);
  print('');
  ratio('to message-db, best case', base / rate('message-db'), '3.5');
  ratio('to emmett-postgresql, best case', base / rate('emmett'), '8');
  ratio('to the hand-written service, best case', base / rate('hand-written'), '6');
  ratio('to the same batches as a bare multi-row INSERT', base / rate('bare'), '0.65');
  const many = [...results.keys()].find((key) => /reelbook, (?!1,000)\d/.test(key)) ?? '';
  ratio('of many players to 1,000', rate(many) / base, '0.8');
  ratio('of one hot player to 1,000', rate('reelbook, one hot') / base, '0.33');
}
