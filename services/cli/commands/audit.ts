/** `npm run reelbook -- audit`: proves the ledger, or names the first event that does not hold. Exit code 1 on any finding. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { auditWithChain, verdictOf } from '@reelbook/audit/audit-with-chain';
import type { ChainOrder } from '@reelbook/audit/chain/reconcile';
import type { Findings, Progress } from '@reelbook/audit/findings';
import { checkProjections } from '@reelbook/audit/projections-check';
import {
  compareReceipts,
  type HeldReceipt,
  InvalidReceipt,
  RECEIPT_BYTES_MAX,
  readReceipt,
} from '@reelbook/audit/receipts';
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
  say,
} from '@reelbook/runtime/command';
import { defineCommand, flag, text, UsageError } from '@reelbook/runtime/command-line';
import { findAuditedChain, findSeedKey, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';

export const command = defineCommand({
  usage: { '[options] [--receipts FILE ...]': '' },
  about: `Proves the ledger from its first event: dense positions and versions, the hash chain, columns equal to bodies,
double entry, current states, seeds, every round drawn again from its seed and rules, idempotency keys, and every read model
equal to a replay from zero. Players whose luck is beyond chance are named as a WARNING, which is no finding
(docs/fairness.md). The ledger may be in use meanwhile: the audit sees it as of one moment.

Then the ledger and its chain, in both directions, where SOLANA_RPC_URL or the standalone's own chain can be asked: every
transaction that the treasury signed or that moved its tokens is in the ledger, and every deposit, payment and anchor of the
ledger is on the chain. TREASURY_WALLETS names the treasury's wallets, TREASURY_TRANSFERS what it signed outside of
this program. What was seen of the chain is kept in DATA_DIR, so that the next audit goes on from there.

Exit code 1: a finding; the first is named by its position. 3: unproven: nothing is faulty, and the chain could not be compared
completely (no RPC, no wallets given, pruned, or not finished).`,
  options: {
    mode: text(
      'public|operator',
      'public: what anyone could check; rounds whose seed is not revealed are counted as awaiting reveal\n' +
        'operator: opens the sealed seeds as well and recomputes every round (the default where SEED_KEY is found)',
    ),
    'no-read-models': flag('leaves the read models out'),
    all: flag(
      'goes through the chain without a bound (20,000 transactions of each address, 1,000 of the ledger)',
    ),
    offline: flag('does not ask the chain: UNPROVEN for a ledger that has one'),
    'allow-unproven': flag(
      'ends with 0 where nothing is faulty and not everything could be compared',
    ),
    receipts: {
      ...text(
        'FILE',
        'receipts or proofs of events that players hold: what the ledger lacks of them was cut off',
      ),
      multiple: true,
      default: [] as string[],
    },
  },
  takesArguments: true,
  async run(values, words) {
    const { mode } = values;
    if (mode && mode !== 'public' && mode !== 'operator') {
      throw new UsageError(`--mode is public or operator, not ${mode}`);
    }
    // What a shell makes of --receipts *.json: the first is the option's, the others follow.
    if (words.length > 0 && values.receipts.length === 0) {
      throw new UsageError(`${words[0]} is no option.`);
    }
    const receipts = readReceipts([...values.receipts, ...words]);
    if (typeof receipts === 'string') return complain(receipts);
    const settings = readSettings();
    const url = ledgerUrlOf(settings);
    const seedKey = mode === 'public' ? null : findSeedKey(settings);
    if (mode === 'operator' && !seedKey) {
      return complain('The operator mode needs SEED_KEY, the key of the sealed seeds.');
    }
    const pool = openPool({ url, role: 'app', max: 3, name: 'auditor', noStatementTimeout: true });
    try {
      const keyId = seedKey ? seedKeyIdOf(settings, seedKey) : '';
      const vault = seedKey ? openSeedVault({ pool, key: seedKey, keyId }) : null;
      const { all, offline: isOffline } = values;
      return await audit({
        ...{ pool, url, vault, receipts, readModels: !values['no-read-models'] },
        chain: { ...findAuditedChain(settings), all, isOffline },
        allowsUnproven: values['allow-unproven'],
      });
    } finally {
      await pool.end();
    }
  },
  explain: (error) => refusalOf(error) ?? `The audit could not run: ${String(error)}`,
});

async function audit(o: {
  pool: pg.Pool;
  url: string;
  vault: SeedVault | null;
  chain: ChainOrder;
  receipts: readonly HeldReceipt[];
  readModels: boolean;
  allowsUnproven: boolean;
}): Promise<Exit> {
  const started = performance.now();
  const onProgress = progressLine();
  const { pool, vault, chain } = o;
  const { report, compared } = await auditWithChain({ pool, vault, chain, onProgress });
  const { findings } = report;
  const proofs = await compareReceipts(pool, o.receipts, findings);
  const rows = o.readModels ? await compareReadModels(o.url, findings, onProgress) : null;
  endProgress();
  if (proofs > 0) say(describeReceipts(o.receipts, proofs));
  say(describeReport(report, rows, (performance.now() - started) / 1_000, compared));
  const exits = {
    CLEAN: EXIT.done,
    UNPROVEN: o.allowsUnproven ? EXIT.done : EXIT.unproven,
    FAULTY: EXIT.no,
  };
  return exits[verdictOf(report, compared.unproven)];
}

/** Reads every file of a receipt; a text says which is none. */
function readReceipts(files: readonly string[]): readonly HeldReceipt[] | string {
  try {
    return files.map((file) => {
      const { size } = statSync(file);
      if (size > RECEIPT_BYTES_MAX)
        throw new InvalidReceipt(`${file}: it is too long for a receipt`);
      return readReceipt(basename(file), readFileSync(file, 'utf8'));
    });
  } catch (error) {
    return `A receipt cannot be used. ${error instanceof Error ? error.message : String(error)}`;
  }
}

/** Whose word the receipts are: a key that is not the site's makes receipts of its own. */
function describeReceipts(receipts: readonly HeldReceipt[], proofs: number): string {
  const keys = new Set(receipts.flatMap(({ publicKey }) => publicKey ?? []));
  const signed =
    keys.size === 0 ? '' : `, signed by ${[...keys].join(', ')}: compare with the published key`;
  return `receipts  ${proofs} events of ${receipts.length} files compared${signed}`;
}

async function compareReadModels(url: string, findings: Findings, onProgress: Progress) {
  const pool = openPool({
    url,
    role: 'projector',
    max: 3,
    name: 'auditor',
    noStatementTimeout: true,
  });
  try {
    return await checkProjections({ pool, projections, findings, onProgress });
  } finally {
    await pool.end();
  }
}
