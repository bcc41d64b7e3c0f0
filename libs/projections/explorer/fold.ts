import type { RecordedEvent } from '@reelbook/ledger/events';
import { postings } from '@reelbook/ledger/postings';
import { parseStream } from '@reelbook/ledger/streams';
import { foldNames, type PlayerNames } from '../players.ts';

/** What an event is found by. */
export interface Entry {
  readonly position: number;
  readonly time: string;
  readonly type: RecordedEvent['event']['type'];
  readonly kind: string;
  /** Null outside the streams of players. */
  readonly wallet: string | null;
  readonly version: number;
  /** What the event gave the player, signed; null: nothing of that asset moved. */
  readonly pointsMinor: bigint | null;
  readonly tokenMinor: bigint | null;
  readonly game: string | null;
  readonly round: string | null;
  readonly rules: string | null;
  readonly correlation: string;
  readonly command: string;
  /** Null: the player of the stream. */
  readonly actor: string | null;
  /** Of a transaction on the chain. */
  readonly signature: string | null;
  readonly withdrawal: string | null;
  /** See `hashPrefix`; as text, for it outgrows numbers. */
  readonly hashPrefix: string;
}

export interface ExplorerChanges {
  readonly entries: readonly Entry[];
  readonly names: readonly PlayerNames[];
}

export function fold(events: readonly RecordedEvent[]): ExplorerChanges {
  return { entries: events.map(toEntry), names: foldNames(events) };
}

/** The first 8 bytes of a hash (64 hex digits) as a signed integer, which an index takes. */
export function hashPrefix(hash: string): string {
  return BigInt.asIntN(64, BigInt(`0x${hash.slice(0, 16)}`)).toString();
}

function toEntry(recorded: RecordedEvent): Entry {
  const { event, stream, position, time, version, meta, hash } = recorded;
  const { kind, id } = parseStream(stream);
  const own = `player:${id}`;
  const moved = { points: null as bigint | null, token: null as bigint | null };
  // Throws at a type that nobody listed.
  for (const { account, asset, deltaMinor } of postings(event, id)) {
    if (account === own) moved[asset] = (moved[asset] ?? 0n) + deltaMinor;
  }
  const { data } = event;
  return {
    position,
    time,
    type: event.type,
    kind,
    wallet: kind === 'player' ? id : null,
    version,
    pointsMinor: moved.points,
    tokenMinor: moved.token,
    game: 'game' in data ? data.game : null,
    round: 'round' in data ? data.round : null,
    rules: 'rules' in data ? data.rules : null,
    correlation: meta.correlation,
    command: meta.command,
    actor: meta.actor === own ? null : meta.actor,
    signature: 'signature' in data ? data.signature : null,
    withdrawal: 'withdrawal' in data ? data.withdrawal : null,
    hashPrefix: hashPrefix(hash),
  };
}
