import { assert } from '@reelbook/ledger/assert';
import { postings } from '@reelbook/ledger/event-types';
import { parseStream } from '@reelbook/ledger/streams';
import { type AccountOf, readBalanceAt } from '@reelbook/projections/entries/balances';
import {
  type ExplorerFilter,
  isHouseAccount,
  Unanswerable,
} from '@reelbook/projections/entries/filter';
import { readExplorer } from '@reelbook/projections/entries/read';
import type pg from 'pg';
import { type ChainedRecord, readEvents } from './read-events.ts';

const MOVEMENTS_MAX = 200;
const PLAYER = 'player:';

export interface AccountMovement {
  readonly recorded: ChainedRecord;
  readonly deltaMinor: bigint;
  readonly afterMinor: bigint;
}

/** The filter of all events that moved an account. Throws `Unanswerable` for a name that is no account. */
function filterOf({ account, asset }: AccountOf): ExplorerFilter {
  if (account.startsWith(PLAYER)) return { wallet: account.slice(PLAYER.length), asset };
  if (isHouseAccount(account)) return { account, asset };
  throw new Unanswerable(`${account} is not an account`);
}

/** One page of the movements of an account, newest first, with the balance after each. */
export async function readMovements(
  pool: pg.Pool,
  options: AccountOf & { readonly before?: number | undefined; readonly limit: number },
): Promise<{ readonly movements: readonly AccountMovement[]; readonly next: number | null }> {
  const { account, asset, before, limit } = options;
  assert(limit >= 1 && limit <= MOVEMENTS_MAX, 'a limit');
  const { entries, next } = await readExplorer(pool, { filter: filterOf(options), before, limit });
  const [newest] = entries;
  if (!newest) return { movements: [], next: null };
  const { position } = newest;
  let { balanceMinor } = await readBalanceAt(pool, { account, asset, position });
  const events = await readEvents(
    pool,
    entries.map((one) => one.position),
  );
  const movements = events.toReversed().map((recorded) => {
    const afterMinor = balanceMinor;
    const deltaMinor = postings(recorded.event, parseStream(recorded.stream).id)
      .filter((leg) => leg.account === account && leg.asset === asset)
      .reduce((sum, leg) => sum + leg.deltaMinor, 0n);
    balanceMinor -= deltaMinor;
    return { recorded, deltaMinor, afterMinor };
  });
  return { movements, next };
}
