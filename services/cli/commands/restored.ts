/** `npm run reelbook -- restored`: after a restore of the database, before anything is paid. */
import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead } from '@reelbook/event-store/read-log';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { defineCommand, EXIT, print, printError, refusalOf } from '@reelbook/runtime/command';
import { findSeedKey } from '@reelbook/runtime/data-folder';
import { readSettings } from '@reelbook/runtime/settings';
import type pg from 'pg';
import { ledgerUrlOf } from '../ledger-url.ts';
import { auditSite } from './audit.ts';
import { changeConfig } from './config.ts';

export const command = defineCommand({
  usage: { '': '' },
  about: `For a ledger that was restored from a backup, also to a point in time (docs/operations.md). Pauses withdrawals: payments made after
the backup are not in the ledger and would be made again. Then audits the ledger and compares it with the chain, as the command
audit does. Compare the findings with the chain; two operators switch withdrawals on again.

May be repeated. Exit code 1: a finding. 3: unproven.`,
  options: {},
  async run() {
    const settings = readSettings();
    const url = ledgerUrlOf(settings);
    const pool = openPool({ url, role: 'app', max: 2, name: 'restored' });
    try {
      const { position, hash } = await readHead(pool);
      print(`head       #${position} ${hash}`);
      const refused = await pausePayments(pool);
      if (refused !== null) return printError(`Withdrawals are not paused: ${refused}`, EXIT.no);
      return await auditSite(settings, { url, seedKey: findSeedKey(settings) });
    } finally {
      await pool.end();
    }
  },
  explain: (error) => refusalOf(error) ?? `The command failed: ${String(error)}`,
});

/** @returns why they are not paused, or null. */
async function pausePayments(pool: pg.Pool): Promise<string | null> {
  const executor = startExecutor({ pool });
  try {
    const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
    if (!state.config?.token.contract || !state.config.withdraw.enabled) return null;
    const reason = 'the database was restored';
    const edit = { path: 'withdraw.enabled', value: 'false', reason, mayWelcome: true };
    const changed = await changeConfig(executor, edit);
    if (typeof changed === 'string') return changed;
    print(`paused     withdrawals, at #${changed.position}`);
    return null;
  } finally {
    await executor.close();
  }
}
