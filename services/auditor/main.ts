/** `npm run audit`: proves the book, or names the first event that does not hold. Exit code 1 on any finding. */
import { parseArgs } from 'node:util';
import { lookUpAnchors } from '@reelbook/audit/anchors-on-chain';
import { auditBook, type Progress } from '@reelbook/audit/audit';
import type { Findings } from '@reelbook/audit/findings';
import { auditReadModels } from '@reelbook/audit/read-models';
import { describeReport } from '@reelbook/audit/report';
import { openPool } from '@reelbook/event-store/db';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { projections } from '@reelbook/projections/all';
import {
  complain,
  EXIT,
  type Exit,
  endProgress,
  progressLine,
  refusalOf,
  runCommand,
  say,
} from '@reelbook/runtime/command';
import {
  findDatabaseUrl,
  findRpcUrls,
  findSeedKey,
  seedKeyIdOf,
} from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';

const HELP = `npm run audit -- [--mode public|operator] [--no-read-models]

Proves the whole book from its first event: dense positions and versions, the hash chain, columns equal to bodies,
double entry, states and tips, seeds, every round drawn again from its seed and rules, claims, and every read model
equal to a replay from zero; and, where SOLANA_RPC_URL or the standalone's own chain can be asked, that every anchor of
the seals stands on the chain. The book may be in use meanwhile: the audit sees it as of one moment.
Players whose luck is beyond chance are named as a WARNING, which is no finding (docs/fairness.md).

  --mode public      checks what anyone could: rounds whose seed is not revealed are counted as awaiting reveal
  --mode operator    opens the sealed seeds as well and recomputes every round (needs SEED_KEY; the default with it)
  --no-read-models   leaves the read models out

Finds the standalone by its DATA_DIR (.reelbook), or any other Postgres by DATABASE_URL.
Exit code 0: clean. 1: a finding; the first is named by its position. 2: the audit could not run.`;

async function main(): Promise<Exit> {
  const { values } = parseArgs({
    options: {
      mode: { type: 'string' },
      'no-read-models': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return say(HELP);
  if (values.mode && values.mode !== 'public' && values.mode !== 'operator') {
    return complain(`--mode is public or operator, not ${values.mode}`);
  }
  const settings = readSettings();
  const url = findDatabaseUrl(settings);
  if (!url) {
    const where = `nothing ever ran in ${settings.dataDir}`;
    return complain(`No book to audit: DATABASE_URL is not set and ${where}.`);
  }
  const seedKey = values.mode === 'public' ? null : findSeedKey(settings);
  if (values.mode === 'operator' && !seedKey) {
    return complain('The operator mode needs SEED_KEY, the key of the sealed seeds.');
  }
  const pool = openPool({ url, role: 'app', max: 3, name: 'auditor', unhurried: true });
  try {
    const keyId = seedKey ? seedKeyIdOf(settings, seedKey) : '';
    const vault = seedKey ? openSeedVault({ pool, key: seedKey, keyId }) : null;
    const urls = findRpcUrls(settings);
    return await run({ pool, url, vault, urls, readModels: !values['no-read-models'] });
  } finally {
    await pool.end();
  }
}

async function run(o: {
  pool: pg.Pool;
  url: string;
  vault: SeedVault | null;
  urls: readonly string[] | null;
  readModels: boolean;
}): Promise<Exit> {
  const started = performance.now();
  const onProgress = progressLine();
  const report = await auditBook({ pool: o.pool, vault: o.vault, onProgress });
  const { findings } = report;
  const { newest: anchors } = report.anchors;
  const compared = await lookUpAnchors({ ...o, anchors, findings, onProgress });
  const rows = o.readModels ? await compareReadModels(o.url, findings, onProgress) : null;
  endProgress();
  say(describeReport(report, rows, (performance.now() - started) / 1_000, compared));
  return report.findings.count === 0 ? EXIT.done : EXIT.no;
}

async function compareReadModels(url: string, findings: Findings, onProgress: Progress) {
  const pool = openPool({ url, role: 'projector', max: 3, name: 'auditor', unhurried: true });
  try {
    return await auditReadModels({ pool, projections, findings, onProgress });
  } finally {
    await pool.end();
  }
}

await runCommand(main, (error) => refusalOf(error) ?? `The audit could not run: ${String(error)}`);
