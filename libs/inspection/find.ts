import { readHead } from '@reelbook/event-store/read-log';
import { WALLET_PATTERN } from '@reelbook/ledger/streams';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { type PlayerNamed, searchPlayers } from '@reelbook/projections/entries/players';
import { readExplorer } from '@reelbook/projections/entries/read';
import { findHash } from '@reelbook/projections/entries/seek';
import type pg from 'pg';

const PLAYERS_MAX = 10;

/** A match of an identifier; `filter` finds its events in the explorer. */
export interface Match {
  readonly kind:
    | 'event'
    | 'player'
    | 'round'
    | 'command'
    | 'correlation'
    | 'withdrawal'
    | 'signature';
  readonly label: string;
  /** Of its newest event. */
  readonly position: number | null;
  readonly wallet: string | null;
  readonly filter: ExplorerFilter;
}

/**
 * The matches of an identifier: a position, the hash of an event, a round, a command, a request, a withdrawal, a wallet, a
 * public id, a nickname, the signature of a transaction. `text` has at most 200 characters.
 */
export async function findAnything(pool: pg.Pool, text: string): Promise<readonly Match[]> {
  const q = text.trim();
  // As the console writes positions.
  if (q.startsWith('#')) return findPosition(pool, q.slice(1));
  if (q === '') return [];
  const found = await Promise.all([
    findPosition(pool, q),
    findByHash(pool, q),
    findExact(pool, q),
    findPlayers(pool, q),
  ]);
  return found.flat();
}

async function findPosition(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  if (!/^\d{1,15}$/.test(q)) return [];
  const position = Number(q);
  const { position: head } = await readHead(pool);
  if (position < 1 || position > head) return [];
  return [eventAt(position, `event #${position}`)];
}

async function findByHash(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const hash = q.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hash)) return [];
  const position = await findHash(pool, hash);
  return position === null ? [] : [eventAt(position, `event #${position}, by its hash`)];
}

function eventAt(position: number, label: string): Match {
  const filter = { fromPosition: position, toPosition: position };
  return { kind: 'event', label, position, wallet: null, filter };
}

/** By each column that may contain it, each with its own index. */
async function findExact(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const requested: [Match['kind'], ExplorerFilter][] = [
    ['round', { round: q }],
    ['withdrawal', { withdrawal: q }],
    ['correlation', { correlation: q }],
  ];
  if (/^[0-9a-f]{32}$/.test(q)) requested.push(['command', { command: q }]);
  if (/^[1-9A-HJ-NP-Za-km-z]{64,100}$/.test(q)) requested.push(['signature', { signature: q }]);
  const found = await Promise.all(
    requested.map(async ([kind, filter]): Promise<readonly Match[]> => {
      const { entries } = await readExplorer(pool, { filter, limit: 1 });
      const [newest] = entries;
      if (!newest) return [];
      const { position, player } = newest;
      return [{ kind, label: `${kind} ${q}`, position, wallet: player?.wallet ?? null, filter }];
    }),
  );
  return found.flat();
}

async function findPlayers(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const players = await searchPlayers(pool, { beginning: q, limit: PLAYERS_MAX });
  const exact = (player: PlayerNamed) =>
    WALLET_PATTERN.test(q) ? player.wallet === q : player.publicId === q;
  return players
    .toSorted((a, b) => Number(exact(b)) - Number(exact(a)))
    .map(({ wallet, publicId, nickname }) => ({
      kind: 'player',
      label: nickname === null ? `player ${publicId}` : `player ${nickname} (${publicId})`,
      position: null,
      wallet,
      filter: { wallet },
    }));
}
