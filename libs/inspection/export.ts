import { createHash } from 'node:crypto';
import { readHead } from '@reelbook/event-store/read-log';
import type { ChainedEvent } from '@reelbook/games/proofs/chained-event';
import { CSV_START, csvRow } from '@reelbook/games/proofs/csv';
import { signText } from '@reelbook/games/proofs/signature';
import {
  EXPORT_VERSION,
  type ExportFormat,
  type ExportManifest,
  manifestText,
} from '@reelbook/games/proofs/verify-export';
import type { Meta } from '@reelbook/ledger/events';
import { type Asset, toDecimal } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { entries } from '@reelbook/projections/entries/projection';
import { type ExplorerEntry, readSince } from '@reelbook/projections/entries/read';
import { readRange } from '@reelbook/projections/entries/seek';
import { readReached } from '@reelbook/projections/projection';
import type pg from 'pg';
import { type ChainedRecord, EVENTS_MAX, readEvents } from './event.ts';
import { toPlain } from './point-in-time.ts';

/**
 * An event of a JSONL: hash = SHA-256(previous_hash || body). The body of the event at `first_position`, which a filter may
 * leave out, has the command's `meta`.
 */
export interface ExportLine extends ChainedEvent {
  readonly first_position: number;
  readonly meta: Meta;
}

export interface Export {
  readonly from: number;
  readonly to: number;
  /** Pieces of the file in order, created on demand: a slow reader slows the database, and memory stays bounded. */
  readonly pieces: AsyncGenerator<string>;
  /** Of the pieces returned so far; final once `pieces` has ended. */
  manifest(): ExportManifest;
}

/**
 * The events of a filter, oldest first, up to the explorer's position at the start. `onProgress` receives the position
 * reached. Throws `Unanswerable`.
 */
export async function openExport(
  pool: pg.Pool,
  options: {
    readonly filter: ExplorerFilter;
    readonly format: ExportFormat;
    readonly operator: string;
    readonly madeAt: string;
    /** The secret key of the site's receipts, which signs the manifest; null leaves it unsigned. */
    readonly signKey: Uint8Array | null;
    readonly signal: AbortSignal;
    onProgress?(options: { readonly position: number; readonly count: number }): void;
  },
): Promise<Export> {
  const { filter, format } = options;
  const head = await readHead(pool);
  const reached = Math.min(await readReached(pool, entries), head.position);
  const between = await readRange(pool, filter);
  const from = between?.first ?? 1;
  const to = between ? Math.min(between.last, reached) : 0;
  const contiguous = Object.entries(filter).every(
    ([part, value]) => value === undefined || RANGE_PARTS.has(part),
  );
  const digest = createHash('sha256');
  let count = 0;
  let ended: string | null = null;

  const unsigned = (): ExportManifest => ({
    reelbook_export: EXPORT_VERSION,
    format,
    filter: toPlain(filter) as Readonly<Record<string, unknown>>,
    from,
    to: Math.max(to, from - 1),
    head: { position: head.position, hash: head.hash },
    count,
    contiguous,
    sha256: ended ?? digest.copy().digest('hex'),
    made_at: options.madeAt,
    operator: options.operator,
  });
  const manifest = (): ExportManifest => {
    const made = unsigned();
    return options.signKey
      ? { ...made, signature: signText(manifestText(made), options.signKey) }
      : made;
  };

  async function* pieces() {
    const seal = (text: string) => {
      digest.update(text, 'utf8');
      return text;
    };
    if (format === 'csv') yield seal(CSV_START + csvRow(Object.keys(CSV_COLUMNS)));
    const pages = readPages(pool, { filter, from, to });
    for await (const page of pages) {
      options.signal.throwIfAborted();
      count += page.length;
      yield seal(page.map(({ text }) => text[format]()).join(''));
      options.onProgress?.({ position: page.at(-1)?.position ?? to, count });
    }
    ended = digest.digest('hex');
    if (format === 'jsonl') yield `${JSON.stringify({ manifest: manifest() })}\n`;
  }

  return { from, to, pieces: pieces(), manifest };
}

/** Parts of a filter that leave out nothing between its first and its last event. */
const RANGE_PARTS: ReadonlySet<string> = new Set(['from', 'to', 'fromPosition', 'toPosition']);

interface Piece {
  readonly position: number;
  readonly text: Readonly<Record<ExportFormat, () => string>>;
}

async function* readPages(
  pool: pg.Pool,
  options: {
    readonly filter: ExplorerFilter;
    readonly from: number;
    readonly to: number;
  },
): AsyncGenerator<readonly Piece[]> {
  for (let after = options.from - 1; after < options.to; ) {
    const filter = { ...options.filter, toPosition: options.to };
    const { entries, tail } = await readSince(pool, { filter, after, limit: EVENTS_MAX });
    if (entries.length === 0) return;
    const events = await readEvents(pool, entries);
    const byPosition = new Map(entries.map((entry) => [entry.position, entry]));
    yield events.map((event) => ({
      position: event.position,
      text: {
        jsonl: () => jsonLine(event),
        csv: () => csvLine(event, byPosition.get(event.position)),
      },
    }));
    after = entries.length < EVENTS_MAX ? options.to : tail;
  }
}

function jsonLine(recorded: ChainedRecord): string {
  const { position, firstPosition, meta, previousHash, hash, body } = recorded;
  const line: ExportLine = {
    position,
    first_position: firstPosition,
    meta,
    previous_hash: previousHash,
    hash,
    body,
  };
  return `${JSON.stringify(line)}\n`;
}

type Cell = Parameters<typeof csvRow>[0][number];

const amountOf = (asset: Asset, minor: bigint | null | undefined) =>
  minor === null || minor === undefined ? '' : toDecimal(asset, minor);

const playerOf = ({ stream }: ChainedRecord, entry?: ExplorerEntry) =>
  parseStream(stream).kind === 'player' ? entry?.player : null;

const CSV_COLUMNS: Readonly<Record<string, (of: ChainedRecord, entry?: ExplorerEntry) => Cell>> = {
  position: ({ position }) => position,
  time: ({ time }) => time,
  type: ({ event }) => event.type,
  stream: ({ stream }) => stream,
  version: ({ version }) => version,
  public_id: (of, entry) => playerOf(of, entry)?.publicId,
  nickname: (of, entry) => playerOf(of, entry)?.nickname,
  points: (_, entry) => amountOf('points', entry?.pointsMinor),
  BSM: (_, entry) => amountOf('token', entry?.tokenMinor),
  game: (_, entry) => entry?.game,
  round: (_, entry) => entry?.round,
  rules: (_, entry) => entry?.rules,
  withdrawal: (_, entry) => entry?.withdrawal,
  signature: (_, entry) => entry?.signature,
  actor: ({ meta }) => meta.actor,
  correlation: ({ meta }) => meta.correlation,
  command: ({ meta }) => meta.command,
  hash: ({ hash }) => hash,
  data: ({ event }) => JSON.stringify(toPlain(event.data)),
};

function csvLine(recorded: ChainedRecord, entry: ExplorerEntry | undefined): string {
  const cells = Object.values(CSV_COLUMNS);
  try {
    return csvRow(cells.map((cell) => cell(recorded, entry)));
  } catch {
    const { position, hash, body } = recorded;
    return csvRow([position, ...cells.slice(3).map(() => ''), hash, body]);
  }
}
