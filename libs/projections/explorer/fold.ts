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
}

export interface ExplorerChanges {
  readonly entries: readonly Entry[];
  readonly names: readonly PlayerNames[];
}

export function fold(events: readonly RecordedEvent[]): ExplorerChanges {
  return { entries: events.map(toEntry), names: foldNames(events) };
}

function toEntry({ event, stream, position, time, version, meta }: RecordedEvent): Entry {
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
  };
}
