/** `npm run bench`: the benchmarks. Figures are medians of one run; ratios are what survives a change of machine. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '@reelbook/embedded-postgres/cluster';
import { benchAppend } from './append.ts';

const HELP = `npm run bench -- [append] [--seconds 4] [--rounds 3] [--many 100000]

  append   bet commands with all guarantees, beside message-db, emmett-postgresql, a hand-written service and bare INSERT

Each brings its own Postgres, with fsync and synchronous commit on. Measure on a quiet machine.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '3' },
    many: { type: 'string', default: '100000' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

function whole(name: 'seconds' | 'rounds' | 'many', max: number): number {
  const value = Number(values[name]);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} is a whole number from 1 to ${max}`);
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-bench-'));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'pg'), durable: true });
  try {
    await benchAppend({
      url: postgres.url,
      seconds: whole('seconds', 600),
      rounds: whole('rounds', 20),
      many: whole('many', 1_000_000),
      say: (line) => process.stdout.write(`${line}\n`),
    });
  } finally {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.help || positionals.some((name) => name !== 'append')) process.stdout.write(`${HELP}\n`);
else await main();
