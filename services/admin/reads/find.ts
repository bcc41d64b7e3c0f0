import { readHead } from '@reelbook/event-store/read-log';
import { WALLET_PATTERN } from '@reelbook/ledger/streams';
import {
  type PlayerNamed,
  partOf,
  readExplorer,
  searchPlayers,
} from '@reelbook/projections/entries/read';
import { findHashes } from '@reelbook/projections/entries/seek';
import type pg from 'pg';
import { filterAnswer } from './convert.ts';
import { findTransactions, signatureLike } from './deposits.ts';

/** Of each kind. */
const MATCHES_MAX = 10;
const POSITION = /^#?\d+([,\s'\u00a0\u202f]\d{3})*$/;
const POSITION_DIGITS_MAX = 15;

/** A match of an identifier; `filter` is the query of the explorer that finds its events. */
interface Match {
  readonly kind:
    | 'event'
    | 'player'
    | 'round'
    | 'command'
    | 'correlation'
    | 'withdrawal'
    | 'deposit'
    | 'signature';
  readonly label: string;
  /** Of its newest event. */
  readonly position: number | null;
  readonly wallet: string | null;
  readonly filter: Readonly<Record<string, string>>;
}

/**
 * The matches of an identifier: a position, the hash of an event or its start, a round, a command, a
 * request, a withdrawal, the signature of a transaction or a wallet, or its start or end, a public id, a nickname. `text` has at most 200 characters.
 */
export async function findAnything(pool: pg.Pool, text: string): Promise<readonly Match[]> {
  const q = text.trim();
  if (q.startsWith('#')) return findPosition(pool, q);
  if (q === '') return [];
  const found = await Promise.all([
    findPosition(pool, q),
    findByHash(pool, q),
    findBySignature(pool, q),
    findExact(pool, q),
    findPlayers(pool, q),
  ]);
  return found.flat();
}

/** With or without `#` and thousands separators: `#4,118`. */
async function findPosition(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const digits = POSITION.test(q) ? q.replace(/\D/g, '') : '';
  if (digits === '' || digits.length > POSITION_DIGITS_MAX) return [];
  const position = Number(digits);
  const { position: head } = await readHead(pool);
  if (position < 1 || position > head) return [];
  return [eventAt(position, `event #${position}`)];
}

/** A hash, or its start as it is displayed: at least 8 digits, then an ellipsis and its end or nothing. */
async function findByHash(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const { start, end } = partOf(q.toLowerCase());
  if (!/^[0-9a-f]{8,64}$/.test(start) || !/^[0-9a-f]{0,64}$/.test(end)) return [];
  const found = await findHashes(pool, { start, end, limit: MATCHES_MAX });
  return found.map((position) => eventAt(position, `event #${position}, by its hash`));
}

/** The deposit of a transaction, and its events. */
async function findBySignature(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const signed = signatureLike(q);
  const found = signed === null ? [] : await findTransactions(pool, signed, MATCHES_MAX);
  return found.flatMap(({ signature, deposit, position }) => {
    const one = { position, wallet: null, filter: { signature } };
    return [
      ...(deposit ? [{ ...one, kind: 'deposit' as const, label: `deposit ${signature}` }] : []),
      ...(position
        ? [{ ...one, kind: 'signature' as const, label: `signature ${signature}` }]
        : []),
    ];
  });
}

function eventAt(position: number, label: string): Match {
  const filter = filterAnswer({ fromPosition: position, toPosition: position });
  return { kind: 'event', label, position, wallet: null, filter };
}

/** By each column that may contain it, each with its own index. */
async function findExact(pool: pg.Pool, q: string): Promise<readonly Match[]> {
  const kinds: Match['kind'][] = ['round', 'withdrawal', 'correlation'];
  if (/^[0-9a-f]{32}$/.test(q)) kinds.push('command');
  const found = await Promise.all(
    kinds.map(async (kind): Promise<readonly Match[]> => {
      const filter = { [kind]: q };
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
  const { start, end } = partOf(q);
  if (start + end === '') return [];
  const players = await searchPlayers(pool, { beginning: q, limit: MATCHES_MAX });
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
