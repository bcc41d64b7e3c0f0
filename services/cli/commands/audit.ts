/** `npm run reelbook -- audit`: verifies the ledger and reports the first invalid event. Exit code 1 on any finding. */
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { AuditReport } from '@reelbook/audit/audit';
import { checkProjections } from '@reelbook/audit/projections-check';
import {
  compareReceipts,
  type HeldReceipt,
  InvalidReceipt,
  RECEIPT_BYTES_MAX,
  readReceipt,
} from '@reelbook/audit/receipts';
import { recordFindings } from '@reelbook/audit/record-findings';
import { auditWithChain, describeReport, verdictOf } from '@reelbook/audit/report';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { type Standby, withPools } from '@reelbook/event-store/standby';
import { projections } from '@reelbook/projections/all';
import {
  defineCommand,
  EXIT,
  type Exit,
  endProgress,
  flag,
  print,
  printError,
  progressLine,
  refusalOf,
  text,
  UsageError,
} from '@reelbook/runtime/command';
import { findAuditedChain, findSeedKey, seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { readSettings, type Settings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';

export const command = defineCommand({
  usage: { '[options] [--receipts FILE ...]': '' },
  about: `Verifies the ledger from its first event: positions and versions without gaps, the hash chain, columns equal to event bodies, double
entry, current states, seeds, every round redrawn from its seed and rules, idempotency keys, and every read model equal
to a replay of all events. Players with improbable luck are a WARNING, not a finding (docs/fairness.md). The ledger may be in use:
the audit reads one snapshot.

With READ_DATABASE_URL the ledger is read from a standby that has all that the leader had at the start, else from the leader;
read models are compared on the leader.

With SOLANA_RPC_URL or the standalone's local chain, the audit also compares the ledger with the chain in both directions:
every transaction that the treasury signed or that moved its tokens is in the ledger, and every deposit, payment and anchor
of the ledger is on the chain. TREASURY_WALLETS lists the treasury's wallets, TREASURY_TRANSFERS the transfers that it signed
outside of this program. DATA_DIR keeps the transactions read from the chain; the next audit continues from there.

Findings are recorded in the ledger: until two operators accept them in the console, their player, or for the ledger and the
treasury every player, is not paid automatically.

Exit code 1: a finding; the first is reported with its position. 3: unproven: there is no finding, but the chain was not compared
completely (no RPC, no wallets, pruned history, or not finished).`,
  options: {
    mode: text(
      'public|operator',
      'public: verify published data only; count rounds with an unrevealed seed as awaiting reveal\n' +
        'operator: open the sealed seeds and recompute every round (default if SEED_KEY is found)',
    ),
    'no-read-models': flag('skip the read models'),
    'no-record': flag('do not record findings in the ledger, for a copy of the database'),
    all: flag('compare every transaction (default: 20,000 of each address, 1,000 of the ledger)'),
    offline: flag('skip the chain: UNPROVEN for a ledger that has one'),
    'allow-unproven': flag('exit with 0 for UNPROVEN'),
    receipts: {
      ...text(
        'FILE',
        "players' receipts or proofs of events; a finding for each event that the ledger lacks",
      ),
      multiple: true,
      default: [] as string[],
    },
  },
  takesArguments: true,
  async run(values, words) {
    const { mode } = values;
    if (mode && mode !== 'public' && mode !== 'operator') {
      throw new UsageError(`--mode must be public or operator, not ${mode}`);
    }
    // A shell expands --receipts *.json: the first file is the option's value, the others are arguments.
    if (words.length > 0 && values.receipts.length === 0) {
      throw new UsageError(`Unknown argument: ${words[0]}`);
    }
    const receipts = readReceipts([...values.receipts, ...words]);
    if (typeof receipts === 'string') return printError(receipts);
    const settings = readSettings();
    const url = ledgerUrlOf(settings);
    const seedKey = mode === 'public' ? null : findSeedKey(settings);
    if (mode === 'operator' && !seedKey) {
      return printError('--mode operator requires SEED_KEY, the key of the sealed seeds.');
    }
    return await auditSite(settings, {
      url,
      seedKey,
      receipts,
      all: values.all,
      isOffline: values.offline,
      readModels: !values['no-read-models'],
      records: !values['no-record'],
      allowsUnproven: values['allow-unproven'],
    });
  },
  explain: (error) => refusalOf(error) ?? `The audit could not run: ${String(error)}`,
});

interface Order {
  readonly url: string;
  /** Null: published data only. */
  readonly seedKey: Buffer | null;
  readonly receipts?: readonly HeldReceipt[];
  readonly readModels?: boolean;
  readonly records?: boolean;
  readonly allowsUnproven?: boolean;
  readonly all?: boolean;
  readonly isOffline?: boolean;
}

/** Audits the ledger, compares it with the chain, records the findings and prints the report. */
export async function auditSite(settings: Settings, order: Order): Promise<Exit> {
  const { url, seedKey } = order;
  const { readDatabaseUrl: readUrl } = settings;
  return withPools({ url, readUrl, name: 'auditor' }, async (pool, standby) => {
    const keyId = seedKey ? seedKeyIdOf(settings, seedKey) : '';
    const vault = seedKey ? openSeedVault({ pool, key: seedKey, keyId }) : null;
    return audit(pool, standby, vault, settings, order);
  });
}

async function audit(
  pool: pg.Pool,
  standby: Standby | null,
  vault: SeedVault | null,
  settings: Settings,
  o: Order,
): Promise<Exit> {
  const started = performance.now();
  const onProgress = progressLine();
  const { receipts = [], readModels = true, records = true, all = false, isOffline = false } = o;
  const chain = { ...findAuditedChain(settings), all, isOffline };
  const { report, compared } = await auditWithChain({ pool, standby, vault, chain, onProgress });
  const { findings } = report;
  const { restores } = report.ledgerSide;
  const proofs = await compareReceipts(pool, receipts, findings, restores);
  const rows = readModels
    ? await withPools({ url: o.url, name: 'auditor', role: 'projector' }, (own) =>
        checkProjections({ pool: own, projections, findings, onProgress }),
      )
    : null;
  endProgress();
  if (records) await record(pool, report);
  if (standby)
    print(`read      the ledger of the ${standby.answered.standby > 0 ? 'standby' : 'leader'}`);
  if (proofs.compared > 0) print(describeReceipts(receipts, proofs));
  print(describeReport(report, rows, (performance.now() - started) / 1_000, compared));
  const exits = {
    CLEAN: EXIT.done,
    UNPROVEN: o.allowsUnproven ? EXIT.done : EXIT.unproven,
    FAULTY: EXIT.no,
  };
  return exits[verdictOf(report, compared.unproven)];
}

/** The result counts without it: the database may be a copy that accepts no events. */
async function record(pool: pg.Pool, report: AuditReport): Promise<void> {
  try {
    await recordFindings(pool, report);
  } catch (error) {
    printError(`The findings are not recorded in the ledger: ${String(error)}`);
  }
}

/** Reads the receipt files. @returns an error text if a file is not a receipt. */
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

/** Names the keys that signed the receipts: any key can sign receipts, only the published key counts. */
function describeReceipts(
  receipts: readonly HeldReceipt[],
  { compared, lost }: Awaited<ReturnType<typeof compareReceipts>>,
): string {
  const keys = new Set(receipts.flatMap(({ publicKey }) => publicKey ?? []));
  const signed =
    keys.size === 0 ? '' : `, signed by ${[...keys].join(', ')}: compare with the published key`;
  const lines = [`receipts  ${compared} events of ${receipts.length} files compared${signed}`];
  return [...lines, ...lost.map((one) => `LOST      ${one}`)].join('\n');
}
