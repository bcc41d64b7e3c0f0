/** `npm run reelbook -- restore`: restores a backup into an empty database and audits the result. */
import { auditLedger } from '@reelbook/audit/audit';
import { describeReport } from '@reelbook/audit/report';
import { BackupError, type Manifest } from '@reelbook/event-store/backup';
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { restoreBackup } from '@reelbook/event-store/restore';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import {
  EXIT,
  type Exit,
  endProgress,
  print,
  printError,
  progressLine,
} from '@reelbook/runtime/command';
import { defineCommand, flag, text, UsageError } from '@reelbook/runtime/command-line';
import { seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import { changeConfig } from '../standalone/change-config.ts';

type Pool = ReturnType<typeof openPool>;

export const command = defineCommand({
  usage: { '--from FOLDER [--keep-paying]': '' },
  about: `Fills the EMPTY database of DATABASE_URL from a backup. Verifies the restored ledger by its head and by a full audit (every
round, with SEED_KEY). Pauses withdrawals if the ledger has a chain: payments made after the backup are not in it and would
be made again. Compare the treasury with the chain first; then two operators resume withdrawals. The projector builds the read
models at its start. A NATS stream that was in use contains events that the restored ledger lacks; nothing is published until
an operator resets it with the command stream.

After an interrupted restore, drop the database.`,
  options: {
    from: text('FOLDER', 'the folder of the backup (required)'),
    'keep-paying': flag(
      'do not pause withdrawals: for a copy that is never connected to its chain',
    ),
  },
  async run({ from, 'keep-paying': keepPaying }) {
    if (!from) throw new UsageError('--from FOLDER is required.');
    try {
      return await restore(from, !keepPaying);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      endProgress();
      return printError(error.message, EXIT.no);
    }
  },
});

async function restore(folder: string, pausing: boolean): Promise<Exit> {
  const settings = readSettings(['databaseUrl']);
  const url = settings.databaseUrl;
  const owner = openPool({ url, role: 'owner', max: 1, name: 'restore', noStatementTimeout: true });
  const pool = openPool({ url, role: 'app', max: 3, name: 'restore', noStatementTimeout: true });
  try {
    const manifest = await restoreBackup(owner, folder, progressLine());
    endProgress();
    print(`restored #${manifest.head.position} ${manifest.head.hash}`);
    const clean = await proveEqual(pool, settings, manifest);
    // Also after findings: starting the ledger anyway must not pay twice.
    if (pausing) await pausePayments(pool, manifest);
    return clean ? EXIT.done : EXIT.no;
  } finally {
    await pool.end();
    await owner.end();
  }
}

async function proveEqual(
  pool: Pool,
  settings: { readonly seedKey: Buffer | null; readonly seedKeyId: string | null },
  { head }: Manifest,
): Promise<boolean> {
  const begun = performance.now();
  const { seedKey: key } = settings;
  const vault = key ? openSeedVault({ pool, key, keyId: seedKeyIdOf(settings, key) }) : null;
  const report = await auditLedger({ pool, vault, onProgress: progressLine() });
  endProgress();
  const seconds = (performance.now() - begun) / 1_000;
  print(describeReport(report, null, seconds, 'restored copy'));
  if (report.headHash !== head.hash) throw new BackupError('the audit found another head');
  return report.findings.count === 0;
}

async function pausePayments(pool: Pool, { madeAt }: Manifest): Promise<void> {
  const executor = startExecutor({ pool });
  try {
    const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
    if (!state.config?.token.contract || !state.config.withdraw.enabled) return;
    const reason = `restored from a backup of ${madeAt}`;
    const edit = { path: 'withdraw.enabled', value: 'false', reason, mayWelcome: true };
    const changed = await changeConfig(executor, edit);
    if (typeof changed === 'string')
      throw new BackupError(`withdrawals are not paused: ${changed}`);
    print(`withdrawals are paused (#${changed.position}): see npm run reelbook -- help restore`);
  } finally {
    await executor.close();
  }
}
