/** `npm run bench`: the benchmarks. Figures are medians of one run; only ratios can be compared between machines. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import {
  defineCommand,
  EXIT,
  type Exit,
  flag,
  integerOption,
  print,
  printError,
  textOr,
  UsageError,
} from '@reelbook/runtime/command';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import { benchAppend, benchSize } from './append.ts';
import { findRegressions, recordCost } from './cost.ts';
import { benchFlow } from './flow.ts';
import { benchHttp } from './http.ts';
import { benchStart } from './start.ts';

const SUITES = ['append', 'http', 'cost', 'flow', 'size', 'start'] as const;
const BY_NAME: readonly string[] = ['size', 'start'];
type Count = 'large' | 'seconds' | 'rounds' | 'many' | 'rate';
const COUNT_MAX = 20_000_000;
const number = (fallback: string, meaning: string) => textOr(fallback, 'N', meaning);

const command = defineCommand({
  usage: {
    append:
      'bet commands with all guarantees, in turn with a hand-written service and a bare INSERT',
    http: `full spins over HTTP, 64 connections, services as processes, in turn with an authenticated echo and a
hand-written service; rate until all read models are at the head, CPU time by process, write-ahead log`,
    cost: `with http: the same at 250 spins per second, and the bytes per event by table`,
    flow: 'time until a spin is acknowledged, pushed and visible to its player, at half of the rate that http measured',
    size: 'bet commands in a ledger of many events, in turn with one of 100,000',
    start: 'time until npm start serves, with a new data folder and again',
    web: 'a separate benchmark: "npm run bench -- web --help"',
  },
  about: `Runs the named benchmarks in order; by default all but size, start and web. Each starts its own Postgres, with fsync and
synchronous commit on. Use an otherwise idle machine.`,
  options: {
    seconds: number('4', 'duration of a measurement'),
    rounds: number('3', 'number of measurements; the median is reported'),
    many: number('100000', 'append: players'),
    rate: number('0', 'flow: spins per second; 0: half of http'),
    large: number('10000000', 'size: events (about 8 GB)'),
    record: flag('cost: writes the figures to bench/results/cost.json'),
    check: flag('cost: fails when a figure is twice as bad as recorded there'),
  },
  takesArguments: true,
  run: runSuites,
});

async function runSuites(
  values: Readonly<Record<Count, string>> & { readonly record: boolean; readonly check: boolean },
  positionals: readonly string[],
): Promise<Exit> {
  const unknown = positionals.find((name) => !(SUITES as readonly string[]).includes(name));
  if (unknown !== undefined) throw new UsageError(`There is no benchmark ${unknown}.`);
  const integer = (name: Count, min = 1) => integerOption(values, name, { min, max: COUNT_MAX });
  const wanted =
    positionals.length > 0 ? positionals : SUITES.filter((name) => !BY_NAME.includes(name));
  const [seconds, rounds] = [integer('seconds'), integer('rounds')];
  let httpRate = 0;
  for (const name of SUITES.filter((one) => wanted.includes(one))) {
    print(`\n== ${name}`);
    if (name === 'append') {
      const many = integer('many');
      await withPostgres((url) => benchAppend({ url, seconds, rounds, many, print }));
    }
    if (name === 'http') {
      const measured = await benchHttp({
        seconds,
        rounds,
        fixedRate: wanted.includes('cost'),
        print,
      });
      httpRate = measured.rate;
      if (measured.cost && values.record) recordCost(measured.cost);
      if (measured.cost && values.check) {
        const regressions = findRegressions(measured.cost);
        for (const regression of regressions) print(`REGRESSION  ${regression}`);
        if (regressions.length > 0) return EXIT.no;
      }
    }
    if (name === 'cost' && !wanted.includes('http')) return printError('cost needs http');
    if (name === 'flow') {
      const rate = integer('rate', 0) || httpRate / 2;
      if (rate === 0) return printError('flow needs http or --rate');
      await benchFlow({ seconds: seconds * 2, rate, print });
    }
    if (name === 'size') {
      const large = integer('large');
      await withPostgres((url) => benchSize({ url, seconds, rounds, large, print }));
    }
    if (name === 'start') await benchStart({ rounds, print });
  }
  return EXIT.done;
}

/** Durable, with a large log, so that no checkpoint or new log file falls into the turn of a single subject. */
async function withPostgres(act: (url: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-bench-'));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'pg'), durable: true });
  try {
    const pool = openPool({ url: postgres.url, role: 'owner', max: 1, name: 'bench' });
    await pool.query("alter system set max_wal_size = '8GB'");
    await pool.query("alter system set min_wal_size = '2GB'");
    await pool.query('select pg_reload_conf()');
    await pool.end();
    await act(postgres.url);
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const [first = '', ...rest] = process.argv.slice(2);
const name = 'npm run bench --';
if (first === 'web') {
  const { command: web } = await import('./web.ts');
  await web.run(`${name} web`, rest);
} else {
  await command.run(name, process.argv.slice(2));
}
