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
