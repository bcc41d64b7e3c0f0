import type { EntryKind, LedgerEntry } from '@reelbook/contract/player/public';
import { ENTRIES_SHOWN } from '@reelbook/contract/route';
import { chainHash, GENESIS_HASH } from '@reelbook/event-store/hash-chain';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import { EVENT_TYPES, type EventType, isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';

/** All pages that show them share one reading. */
const FRESH_MS = 500;

/** Of events that a player may see; the others of a player are of kind `account`. */
const KINDS: Readonly<Partial<Record<EventType, EntryKind>>> = {
  BetPlaced: 'bet',
  BetWon: 'won',
  BetLost: 'lost',
  Exchanged: 'exchange',
  DepositCredited: 'deposit',
  WithdrawalRequested: 'withdrawal',
  WithdrawalSigned: 'withdrawal',
  WithdrawalFinalized: 'withdrawal',
  SeedsCommitted: 'seeds',
  ClientSeedChanged: 'seeds',
  SeedRevealed: 'seeds',
  LedgerSealed: 'seal',
  SealAnchored: 'seal',
};

/** A reading that all callers share for some time; a failed one is not kept. */
export function sharedFor<T>(freshMs: number, read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  let readAtMs = 0;
  return () => {
    if (reading && Date.now() - readAtMs < freshMs) return reading;
    readAtMs = Date.now();
    reading = read();
    reading.catch(() => {
      reading = null;
    });
    return reading;
  };
}

/** Reads the newest events of the ledger, newest first; those of `wallet` are marked. */
export function openLatestEntries(
  pool: pg.Pool,
): (wallet: string | null) => Promise<LedgerEntry[]> {
  const read = sharedFor(FRESH_MS, () => readLatest(pool));
  return async (wallet) => {
    const own = wallet === null ? null : playerStream(wallet);
    return (await read()).map(({ stream, entry }) => ({
      ...entry,
      own: own !== null && stream === own,
    }));
  };
}

interface Read {
  /** Null of an event that its player may not see. */
  readonly stream: string | null;
  readonly entry: Omit<LedgerEntry, 'own'>;
}

async function readLatest(pool: pg.Pool): Promise<readonly Read[]> {
  const { position: head } = await readHead(pool);
  // One more than shown: its hash is the previous one of the oldest.
  const from = Math.max(1, head - ENTRIES_SHOWN);
  const events = await readLog(pool, { from, limit: ENTRIES_SHOWN + 1 });
  const read = events.map((event, index) => {
    const previous = events[index - 1]?.hash ?? GENESIS_HASH;
    return toRead(event, chainHash(previous, event.body) === event.hash);
  });
  return read.slice(-ENTRIES_SHOWN).reverse();
}

function toRead({ position, stream, time, event }: RecordedEvent, verified: boolean): Read {
  const isVisible = isVisibleToPlayer(event);
  const entry = { position, kind: kindOf(event, isVisible), game: gameOf(event) };
  return {
    stream: isVisible ? stream : null,
    entry: { ...entry, recorded_at: time, verified },
  };
}

function kindOf({ type }: AnyEvent, isVisible: boolean): EntryKind {
  if (!isVisible && EVENT_TYPES[type] === 'player') return 'site';
  return KINDS[type] ?? (isVisible ? 'account' : 'site');
}

const gameOf = (event: AnyEvent): string | null =>
  event.type === 'BetPlaced' || event.type === 'BetWon' || event.type === 'BetLost'
    ? event.data.game
    : null;
