import { openPool } from '@reelbook/event-store/db';
import { startExecutor } from '@reelbook/event-store/execute';
import type { ApprovalSite } from '@reelbook/payments/approvals';
import type { Exit } from '@reelbook/runtime/command';
import { findDatabaseUrl } from '@reelbook/runtime/data-folder';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Settings } from '@reelbook/runtime/settings';

/** DATABASE_URL, or the database of the standalone in DATA_DIR. Throws `StartError` if there is neither. */
export function ledgerUrlOf(settings: Settings): string {
  const url = findDatabaseUrl(settings);
  if (url) return url;
  throw new StartError(
    `There is no ledger: DATABASE_URL is not set and ${settings.dataDir} has no data.`,
  );
}

/** The ledger, and an executor of commands that are decided on its events. */
export type Site = Pick<ApprovalSite, 'pool' | 'executor'>;

export async function withExecutor(
  settings: Settings,
  name: string,
  act: (site: Site) => Promise<Exit>,
): Promise<Exit> {
  const pool = openPool({ url: ledgerUrlOf(settings), role: 'app', max: 2, name });
  const executor = startExecutor({ pool, fromEvents: true });
  try {
    return await act({ pool, executor });
  } finally {
    await executor.close();
    await pool.end();
  }
}
