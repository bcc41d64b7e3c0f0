/** `npm run reelbook -- restore`: an empty database becomes the ledger of a backup, and the audit proves that it did. */
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
  complain,
  EXIT,
  type Exit,
  endProgress,
  progressLine,
  say,
} from '@reelbook/runtime/command';
import { defineCommand, flag, text, UsageError } from '@reelbook/runtime/command-line';
import { seedKeyIdOf } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import { changeConfig } from '../standalone/change-config.ts';

type Pool = ReturnType<typeof openPool>;

export const command = defineCommand({
  usage: { '--from FOLDER [--keep-paying]': '' },
  about: `Fills the EMPTY database of DATABASE_URL from a backup, proves by its head and by the whole audit (with SEED_KEY every round) that it is
the ledger that was copied, and pauses withdrawals where the ledger has a chain: what was paid after the backup is not in it, and would
be paid again. Compare the treasury with the chain first; then two operators switch withdrawals on. Read models are built
by the projector's start. A NATS that was used before holds events that the ledger no longer has, and nothing is published until
an operator has decided: the command stream.

A restore that was cut short leaves a database to be thrown away.`,
  options: {
    from: text('FOLDER', 'the folder of the backup'),
    'keep-paying': flag('does not pause them: for a copy that is never connected to its chain'),
  },
  async run({ from, 'keep-paying': keepPaying }) {
    if (!from) throw new UsageError('--from must name the folder of a backup.');
    try {
      return await restore(from, !keepPaying);
    } catch (error) {
      if (!(error instanceof BackupError)) throw error;
      endProgress();
      return complain(error.message, EXIT.no);
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
    say(`restored #${manifest.head.position} ${manifest.head.hash}`);
    const clean = await proveEqual(pool, settings, manifest);
    // Also where the audit found something: whoever starts it all the same must not pay twice.
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
  say(describeReport(report, null, seconds, 'this is a copy'));
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
    if (typeof changed === 'string') throw new BackupError(`withdrawals go on: ${changed}`);
    say(`withdrawals are paused (#${changed.position}): see npm run reelbook -- help restore`);
  } finally {
    await executor.close();
  }
}
