import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { COUNT_MAX, type ExplorerQuery } from '@reelbook/contract/admin/events';
import type { AdminQuery } from '@reelbook/contract/admin/routes';
import { EXPORT_JOB_HEADER, EXPORT_RANGE_HEADER } from '@reelbook/contract/route';
import { readHead } from '@reelbook/event-store/read-log';
import { Refused } from '@reelbook/http/routes';
import { knownPosition } from '@reelbook/http/standby';
import { type Export, openExport } from '@reelbook/inspection/export';
import { CannotFold } from '@reelbook/inspection/point-in-time';
import type { EventType } from '@reelbook/ledger/event-types';
import { type ExplorerFilter, Unanswerable } from '@reelbook/projections/entries/filter';
import { entries as entriesModel } from '@reelbook/projections/entries/projection';
import {
  countMatches,
  type ExplorerEntry,
  readExplorer,
  readSince,
} from '@reelbook/projections/entries/read';
import { PositionNotReached, readReached } from '@reelbook/projections/projection';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { Cancelled, type Work } from '../jobs/job-runner.ts';
import { JobRunning } from '../jobs/jobs.ts';
import { amountsOf, playerRef, sentenceAnswer } from './convert.ts';
import { findAnything } from './find.ts';

type FilterQuery = Omit<ExplorerQuery, 'before' | 'after' | 'limit'>;

/** Converts a query to a filter. Amounts are validated here, other parts where the filter is used. */
export function filterOf(query: FilterQuery): ExplorerFilter {
  const { types, min_minor: min, max_minor: max, ...parts } = query;
  const amount = {
    ...(min !== undefined && { minMinor: minorOf('min_minor', min) }),
    ...(max !== undefined && { maxMinor: minorOf('max_minor', max) }),
  };
  const given = Object.entries(parts).flatMap(([part, value]) => {
    if (value === undefined) return [];
    const name = part.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    if (part.endsWith('_position')) return [[name, value]];
    // Their hexadecimal digits are stored in lower case.
    const isHex = part === 'command' || part === 'hash';
    return [[name, isHex ? String(value).toLowerCase() : String(value)]];
  });
  return {
    ...Object.fromEntries(given),
    ...(types !== undefined && { types: String(types).split(',') as EventType[] }),
    ...(Object.keys(amount).length > 0 && { amount }),
  };
}

function minorOf(name: string, value: string | number): bigint {
  const text = String(value);
  if (!/^\d{1,19}$/.test(text)) {
    throw new Unanswerable(`${name} must be an integer of minor units, 0 or more`);
  }
  return BigInt(text);
}

const PAGE_BY_DEFAULT = 50;

export function explorerReads(admin: Admin) {
  const { pool } = admin;
  return {
    explorer: async ({ query }) => ({ data: await readPage(admin, query) }),
    countMatches: async ({ query }) => {
      const count = await countMatches(pool, { filter: filterOf(query), max: COUNT_MAX + 1 });
      return { data: { count: Math.min(count, COUNT_MAX), more: count > COUNT_MAX } };
    },
    find: async ({ query }) => ({ data: { matches: await findAnything(pool, String(query.q)) } }),
  } satisfies Partial<AdminHandlers>;
}

async function readPage({ pool }: Admin, query: AdminRequest<'explorer'>['query']) {
  const { before, after, limit = PAGE_BY_DEFAULT, ...parts } = query;
  const filter = filterOf(parts);
  const [{ position: head }, reached] = await Promise.all([
    readHead(pool),
    readReached(pool, entriesModel),
  ]);
  if (after !== undefined) {
    const { entries, tail } = await readSince(pool, { filter, after, limit });
    return { entries: entries.map(entryAnswer), next: null, tail, head, reached };
  }
  const { entries, next } = await readExplorer(pool, { filter, before, limit });
  return { entries: entries.map(entryAnswer), next, tail: reached, head, reached };
}

function entryAnswer(entry: ExplorerEntry) {
  const { position, time, type, sentence, player, round, signature, withdrawal } = entry;
  return {
    position,
    time,
    type,
    round,
    signature,
    withdrawal,
    ...sentenceAnswer(sentence),
    player: player && playerRef(player),
    amounts: amountsOf(entry),
  };
}

/** Retries while a projection lags behind the ledger. */
const TRIES_MAX = 8;
const RETRY_AFTER_MS = 150;

/** Maps errors of a read to refusals of the catalogue; retries while a projection lags. */
export async function withRefusals<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await read();
    } catch (error) {
      if (error instanceof PositionNotReached && tries < TRIES_MAX) await sleep(RETRY_AFTER_MS);
      else throw refusalOf(error);
    }
  }
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const why = error.message;
  if (error instanceof Unanswerable) {
    return new Refused({ failed: 'bad-input', detail: { problem: why } });
  }
  if (error instanceof PositionNotReached) {
    return new Refused({ failed: 'read-model-behind', detail: { why } });
  }
  if (error instanceof JobRunning) return new Refused({ failed: 'job-running', detail: { why } });
  if (error instanceof CannotFold) return new Refused({ failed: 'cannot-fold', detail: { why } });
  return error;
}

const TYPES = { jsonl: 'application/x-ndjson', csv: 'text/csv; charset=utf-8' } as const;

/**
 * Streams the file with backpressure. The job ends with the manifest when the last byte is sent. It is cancelled when the
 * client disconnects or an operator cancels the job.
 */
export async function sendExport(
  admin: Admin,
  {
    request,
    reply,
    check,
  }: {
    readonly request: FastifyRequest;
    readonly reply: FastifyReply;
    check(): Promise<void>;
  },
): Promise<FastifyReply> {
  const { standby, runner, clock, signKey } = admin;
  const pool = standby ? await standby.follow(knownPosition(request)) : admin.pool;
  const { format, ...parts } = request.query as AdminQuery<'exportEvents'>;
  const by = `operator:${request.operator?.wallet ?? ''}`;
  const madeAt = new Date(await clock.nowMs()).toISOString();
  const disconnected = new AbortController();
  let report: Parameters<Work>[0]['report'] = () => {};
  const opened = await withRefusals(() =>
    openExport(pool, {
      filter: filterOf(parts),
      format,
      operator: by,
      madeAt,
      signKey,
      signal: disconnected.signal,
      onProgress: ({ position }) => report({ step: 'export', ...progressOf(opened, position) }),
    }),
  );
  const body = Readable.from(whileAllowed(opened.pieces, check), { objectMode: false });
  const sent = new Promise<void>((resolve, reject) => {
    body.once('error', reject);
    reply.raw.once('finish', resolve);
    reply.raw.once('close', () => reject(new Cancelled('the client disconnected')));
  });
  sent.catch(() => disconnected.abort());
  const order = { kind: 'export', subject: format, by, reason: null } as const;
  const job = await withRefusals(() =>
    runner.start(order, async (run) => {
      report = run.report;
      const stop = () => body.destroy(new Error('cancelled'));
      run.signal.addEventListener('abort', stop, { once: true });
      await sent;
      return opened.manifest();
    }),
  );
  const name = `reelbook-${opened.from}-${opened.to}.${format}`;
  return reply
    .header('Content-Type', TYPES[format])
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .header('Cache-Control', 'no-store')
    .header(EXPORT_JOB_HEADER, job)
    .header(EXPORT_RANGE_HEADER, `${opened.from}-${opened.to}`)
    .send(body);
}

/** A slow reader takes an export of hours: it ends with the session or the role of its operator. */
async function* whileAllowed(pieces: AsyncGenerator<string>, check: () => Promise<void>) {
  for await (const piece of pieces) {
    await check();
    yield piece;
  }
}

function progressOf({ from, to }: Export, position: number) {
  return { done: position - from + 1, total: Math.max(0, to - from + 1) };
}
