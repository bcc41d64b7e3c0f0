import { Readable } from 'node:stream';
import type { PlayerRoutes, RouteName } from '@reelbook/contract/player/routes';
import type { Sent } from '@reelbook/contract/route';
import { type Limit, openLimit } from '@reelbook/http/limits';
import { Refused } from '@reelbook/http/refused';
import { assert } from '@reelbook/ledger/assert';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { userAnswer } from './answers/player.ts';
import { statementFileOf } from './answers/statement.ts';
import type { Gateway } from './context.ts';
import {
  EXPORT_STALL_BYTES,
  EXPORT_STALL_MS,
  EXPORTS_AT_ONCE,
  EXPORTS_PER_PLAYER,
} from './limits.ts';
import { readOwnData } from './reads/own-data.ts';
import { readPlayer } from './reads/player.ts';
import { readStatement } from './reads/statement.ts';

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
  const file = statementFileOf(statement, { format, name: userAnswer(state).display_name });
  const type = format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8';
  // Spreadsheets read a CSV as UTF-8 only with a byte order mark.
  return named(reply, `reelbook-statement.${format}`, type).send(
    format === 'csv' ? `\uFEFF${file}` : file,
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
