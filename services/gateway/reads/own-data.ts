import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { PlayerRoutes, RouteName } from '@reelbook/contract/player/routes';
import type { Sent } from '@reelbook/contract/route';
import { readStream } from '@reelbook/event-store/read-stream';
import { signText } from '@reelbook/games/proofs/signature';
import {
  OWN_DATA_VERSION,
  type OwnDataEnd,
  type OwnDataHead,
  ownDataText,
} from '@reelbook/games/proofs/verify-own-data';
import { type Limit, openLimit } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/routes';
import { assert } from '@reelbook/ledger/assert';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { playerStream } from '@reelbook/ledger/streams';
import { readReports } from '@reelbook/payments/reports';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { revealedAnswer } from '../answers/player.ts';
import { reportAnswer } from '../answers/wallet.ts';
import type { Gateway } from '../context.ts';
import {
  EXPORT_STALL_BYTES,
  EXPORT_STALL_MS,
  EXPORTS_AT_ONCE,
  EXPORTS_PER_PLAYER,
} from '../limits.ts';
import type { LiveSession } from '../sessions.ts';
import {
  readAchievementList,
  readNotificationPage,
  readProtection,
  readSessions,
} from './account.ts';
import { readPlayer, readUser } from './player.ts';
import { readEventProof, readReceipt, readSeeds } from './receipts.ts';
import { readStatement, statementCsv } from './statement.ts';

const EVENTS_PER_READ = 200;
const NOTICES_PER_READ = 100;
const REPORTS_MAX = 10_000;

interface Part {
  readonly part: string;
  readonly data: unknown;
}

/**
 * Everything about a player, one part a line, created on demand: a slow reader slows the database, and memory stays bounded.
 * The head names the position up to which it is complete; the last line has the hash and the site's signature.
 */
async function* readOwnData(
  gateway: Gateway,
  options: { readonly session: LiveSession; readonly nowMs: number; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const { wallet } = options.session;
  const { version, position } = await readPlayer(gateway, wallet);
  const head: OwnDataHead = {
    reelbook_own_data: OWN_DATA_VERSION,
    wallet_address: wallet,
    made_at: new Date(options.nowMs).toISOString(),
    position,
  };
  const digest = createHash('sha256');
  let lines = 0;
  const line = (value: object): string => {
    const text = `${JSON.stringify(value)}\n`;
    digest.update(text, 'utf8');
    lines++;
    return text;
  };
  yield line(head);
  yield* mapped(readAccount(gateway, options.session), line);
  for (let from = 1; from <= version; from += EVENTS_PER_READ) {
    options.signal.throwIfAborted();
    await expectOpen(gateway, options.session);
    const limit = Math.min(EVENTS_PER_READ, version - from + 1);
    const stream = playerStream(wallet);
    const events = await readStream(gateway.pool, { stream, fromVersion: from, limit });
    for (const event of events.filter((one) => isVisibleToPlayer(one.event))) {
      options.signal.throwIfAborted();
      for (const part of await partsOf(gateway, event, { wallet, nowMs: options.nowMs })) {
        yield line(part);
      }
    }
  }
  const unsigned = { lines, sha256: digest.digest('hex') };
  const signature = signText(ownDataText(unsigned), gateway.settings.receiptKey);
  const end: OwnDataEnd = { ...unsigned, signature };
  yield `${JSON.stringify({ part: 'end', data: end })}\n`;
}

/** By its row: what authenticated the request may be some seconds old. */
async function expectOpen(gateway: Gateway, session: LiveSession): Promise<void> {
  const sessions = await readSessions(gateway, session);
  if (!sessions.some(({ current }) => current)) throw new Refused({ failed: 'session-dead' });
}

async function* mapped(parts: AsyncGenerator<Part>, line: (part: Part) => string) {
  for await (const part of parts) yield line(part);
}

/** Everything except the events. */
async function* readAccount(gateway: Gateway, session: LiveSession): AsyncGenerator<Part> {
  const { wallet } = session;
  const { state } = await readPlayer(gateway, wallet);
  yield { part: 'profile', data: await readUser(gateway, state) };
  yield { part: 'achievements', data: await readAchievementList(gateway, wallet) };
  yield { part: 'sessions', data: await readSessions(gateway, session) };
  yield { part: 'protection', data: await readProtection(gateway, wallet) };
  yield { part: 'statement', data: await readStatement(gateway, { wallet }) };
  yield { part: 'seeds', data: await readSeeds(gateway, wallet) };
  // Of credited ones the events are in the file.
  for (const report of await readReports(gateway.pool, wallet, REPORTS_MAX)) {
    yield { part: 'deposit_report', data: reportAnswer(report) };
  }
  for (let page = 1; ; page++) {
    const of = { wallet, page, pageSize: NOTICES_PER_READ };
    const { items } = await readNotificationPage(gateway, of);
    for (const data of items) yield { part: 'notification', data };
    if (items.length < NOTICES_PER_READ) return;
  }
}

/** A receipt has the proofs of all events of its round; every other event has its own. */
async function partsOf(
  gateway: Gateway,
  { event, position, time: revealedAt }: RecordedEvent,
  of: { readonly wallet: string; readonly nowMs: number },
): Promise<readonly Part[]> {
  switch (event.type) {
    case 'BetPlaced': {
      const data = await readReceipt(gateway, { ...of, round: event.data.round });
      return [{ part: 'receipt', data }];
    }
    case 'BetWon':
    case 'BetLost':
    case 'BetVoided':
      return [];
    default: {
      const data = await readEventProof(gateway, { wallet: of.wallet, position });
      const proof: Part = { part: 'event', data };
      if (event.type !== 'SeedRevealed') return [proof];
      const seed = revealedAnswer({ ...event.data, position, revealedAt });
      return [proof, { part: 'revealed_seed', data: seed }];
    }
  }
}

type Send = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Senders of the responses that are files, by route. */
export function openFiles(gateway: Gateway): Partial<Record<RouteName, Send>> {
  const perPlayer = openLimit({ max: EXPORTS_PER_PLAYER, windowMs: HOUR_MS });
  const running = new Set<string>();
  return {
    statementFile: (request, reply) => sendStatement(gateway, request, reply),
    ownData: (request, reply) => sendOwnData(gateway, { perPlayer, running }, request, reply),
  };
}

async function sendStatement(gateway: Gateway, request: FastifyRequest, reply: FastifyReply) {
  const { wallet } = sessionOf(request);
  const { format, ...period } = request.query as Sent<PlayerRoutes['statementFile']>['query'];
  const [statement, { state }] = await Promise.all([
    readStatement(gateway, { wallet, ...period }),
    readPlayer(gateway, wallet),
  ]);
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
  return named(reply, `reelbook-statement.${format}`, type).send(
    format === 'csv'
      ? statementCsv(statement, (await readUser(gateway, state)).display_name)
      : `${JSON.stringify(statement, null, 2)}\n`,
  );
}

/** A player's file reads all of their events: few an hour, one at a time, and few at once in all. */
async function sendOwnData(
  gateway: Gateway,
  limits: { readonly perPlayer: Limit; readonly running: Set<string> },
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const session = sessionOf(request);
  await expectOpen(gateway, session);
  const { perPlayer, running } = limits;
  if (running.has(session.wallet) || running.size >= EXPORTS_AT_ONCE) {
    throw new Refused({ failed: 'too-many-requests' }, BUSY_RETRY_S);
  }
  perPlayer.take(session.wallet);
  running.add(session.wallet);
  const left = new AbortController();
  const parts = readOwnData(gateway, { session, nowMs: Date.now(), signal: left.signal });
  const end = () => running.delete(session.wallet);
  const body = Readable.from(untilStalled(parts, { stall: () => reply.raw.destroy(), end }), {
    objectMode: false,
  });
  reply.raw.once('close', () => {
    end();
    left.abort();
    body.destroy();
  });
  return named(reply, 'reelbook-my-data.jsonl', 'application/x-ndjson').send(body);
}

/** The parts; `stall` if the client reads too few of them in time, `end` when the last one is made. */
export async function* untilStalled(
  parts: AsyncGenerator<string>,
  on: { stall(): void; end(): void },
): AsyncGenerator<string> {
  let [bytes, isWaiting] = [0, false];
  const timer = setInterval(() => {
    if (isWaiting && bytes < EXPORT_STALL_BYTES) on.stall();
    bytes = 0;
  }, EXPORT_STALL_MS);
  try {
    for await (const part of parts) {
      bytes += part.length;
      isWaiting = true;
      yield part;
      isWaiting = false;
    }
  } finally {
    clearInterval(timer);
    on.end();
  }
}

const BUSY_RETRY_S = 30;

function sessionOf({ session }: FastifyRequest) {
  assert(session, 'its route admits sessions only');
  return session;
}

const named = (reply: FastifyReply, name: string, type: string) =>
  reply
    .header('Content-Type', type)
    .header('Content-Disposition', `attachment; filename="${name}"`)
    .header('Cache-Control', 'no-store');
