import { createHash } from 'node:crypto';
import { readStream } from '@reelbook/event-store/read-stream';
import { signText } from '@reelbook/games/proofs/signature';
import {
  OWN_DATA_VERSION,
  type OwnDataEnd,
  type OwnDataHead,
  ownDataText,
} from '@reelbook/games/proofs/verify-own-data';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { playerStream } from '@reelbook/ledger/streams';
import { revealedAnswer, userAnswer } from '../answers/player.ts';
import { statementAnswer } from '../answers/statement.ts';
import type { Gateway } from '../context.ts';
import type { LiveSession } from '../sessions.ts';
import { readAchievementList } from './achievements.ts';
import { readNotificationPage } from './notifications.ts';
import { readPlayer } from './player.ts';
import { readProtection } from './protection.ts';
import { readEventProof, readReceipt } from './receipts.ts';
import { readSeeds } from './seeds.ts';
import { readSessions } from './sessions.ts';
import { readStatement } from './statement.ts';

const EVENTS_PER_READ = 200;
const NOTICES_PER_READ = 100;

interface Part {
  readonly part: string;
  readonly data: unknown;
}

/**
 * Everything about a player, one part a line, created on demand: a slow reader slows the database, and memory stays bounded.
 * The head names the position up to which it is complete; the last line has the hash and the site's signature.
 */
export async function* readOwnData(
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

async function* mapped(parts: AsyncGenerator<Part>, line: (part: Part) => string) {
  for await (const part of parts) yield line(part);
}

/** Everything except the events. */
async function* readAccount(gateway: Gateway, session: LiveSession): AsyncGenerator<Part> {
  const { wallet } = session;
  const { state } = await readPlayer(gateway, wallet);
  yield { part: 'profile', data: userAnswer(state) };
  yield { part: 'achievements', data: await readAchievementList(gateway, wallet) };
  yield { part: 'sessions', data: await readSessions(gateway, session) };
  yield { part: 'protection', data: await readProtection(gateway, wallet) };
  yield { part: 'statement', data: statementAnswer(await readStatement(gateway, { wallet })) };
  yield { part: 'seeds', data: await readSeeds(gateway, wallet) };
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
