import { ASSETS } from '@reelbook/contract/admin/common';
import { readHash } from '@reelbook/event-store/hash-chain';
import { loadState, readPosition } from '@reelbook/event-store/read-stream';
import {
  explainBalance,
  readExplainable,
  readMovements,
} from '@reelbook/inspection/explain-balance';
import {
  findChanges,
  openTimeTravel,
  type PointInTime,
  readPointInTime,
  type StreamAt,
  streamNamed,
  type TimeTravel,
  toPlain,
} from '@reelbook/inspection/point-in-time';
import { openProver, type Prover } from '@reelbook/inspection/prover';
import { deciders } from '@reelbook/ledger/deciders';
import type { Asset } from '@reelbook/ledger/money';
import { sentenceOf } from '@reelbook/ledger/sentences';
import { parseStream } from '@reelbook/ledger/streams';
import { readTrialBalance } from '@reelbook/projections/entries/balances';
import { Unanswerable } from '@reelbook/projections/entries/filter';
import type pg from 'pg';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { readFollowed } from '../projection-actions.ts';
import { amount, filterAnswer, sentenceAnswer, textOf } from './convert.ts';

/** Caches between calls: Merkle trees of seals, and intermediate states of folds. */
export interface InspectionCaches {
  readonly prover: Prover;
  readonly travel: TimeTravel;
}

export function openInspectionCaches({ pool }: Pick<Admin, 'pool'>): InspectionCaches {
  return { prover: openProver(pool), travel: openTimeTravel(pool) };
}

export function pointInTimeReads({ pool }: Admin, { travel }: InspectionCaches) {
  const pointInTime = (at: string | number | undefined) => readPointInTime(pool, textOf(at));
  return {
    pointInTime: async ({ query }) => {
      const [followed, at, first, head] = await Promise.all([
        readFollowed(pool),
        pointInTime(query.at),
        pointInTime(0).then((empty) => pointInTime(1).catch(() => empty)),
        pointInTime(undefined),
      ]);
      const hash = (await readHash(pool, at.position)) ?? '';
      // Without one that is not late, no figure is to be waited for.
      const read = Math.min(followed, head.position);
      return { data: { at: { ...at, hash }, first, head, read } };
    },
    stateAt: async ({ query }) => {
      const stream = streamNamed(query.stream);
      const at = await pointInTime(query.at);
      const found = await travel.streamAt(stream, at.position);
      const [next, current] = await Promise.all([
        readPosition(pool, { stream, version: found.version + 1 }),
        readCurrent(pool, stream),
      ]);
      const isCurrent = current.version === found.version;
      const state = toPlain(found.state);
      return {
        data: {
          stream,
          ...stateAnswer(at, found),
          next,
          previous: found.previous,
          is_current: isCurrent,
          state_differs: isCurrent && findChanges(state, toPlain(current.state)).length > 0,
        },
      };
    },
    stateDiff: async ({ query }) => {
      const stream = streamNamed(query.stream);
      const [from, to] = await Promise.all([pointInTime(query.from), pointInTime(query.to)]);
      const before = await travel.streamAt(stream, from.position);
      const after = await travel.streamAt(stream, to.position);
      return {
        data: {
          stream,
          from: stateAnswer(from, before),
          to: stateAnswer(to, after),
          changes: findChanges(toPlain(before.state), toPlain(after.state)),
        },
      };
    },
    trialDiff: async ({ query }) => ({
      data: await readTrialDiff(pool, textOf(query.from), textOf(query.to)),
    }),
    explainBalance: async ({ query: { asset, ...query } }) => {
      // Both assets at one position.
      const { position: at } = await readExplainedAt(pool, query.at);
      const of = (one: Asset) => readExplanation(pool, { ...query, asset: one, at });
      return { data: await Promise.all((asset ? [asset] : ASSETS).map(of)) };
    },
    accountMovements: async ({ query }) => ({ data: await readLines(pool, query) }),
  } satisfies Partial<AdminHandlers>;
}

function stateAnswer(at: PointInTime, { version, position, state }: StreamAt) {
  return { at, version, position, state: toPlain(state) };
}

/** The stored current state, also of a stream without events. */
function readCurrent(pool: pg.Pool, stream: string) {
  const { kind } = parseStream(stream);
  return loadState(pool, deciders[kind] as Parameters<typeof loadState>[1], stream);
}

/** Without `at`: as of the last position of the projection, which may lag behind the head. */
async function readTrialAt(pool: pg.Pool, at: string | undefined) {
  if (at === undefined) {
    const balance = await readTrialBalance(pool);
    return { at: await readPointInTime(pool, String(balance.position)), balance };
  }
  const found = await readPointInTime(pool, at);
  return { at: found, balance: await readTrialBalance(pool, { position: found.position }) };
}

async function readTrialDiff(pool: pg.Pool, from: string | undefined, to: string | undefined) {
  const before = await readTrialAt(pool, from);
  const after = await readTrialAt(pool, to);
  const old = new Map(
    before.balance.lines.map(({ line, asset, balanceMinor }) => [`${line} ${asset}`, balanceMinor]),
  );
  return {
    from: before.at,
    to: after.at,
    lines: after.balance.lines.map(({ line, asset, balanceMinor }) => {
      const was = old.get(`${line} ${asset}`) ?? 0n;
      return {
        line,
        before: amount(asset, was),
        after: amount(asset, balanceMinor),
        change: amount(asset, balanceMinor - was),
      };
    }),
  };
}

const MOVEMENTS_BY_DEFAULT = 50;

/** Without `at`: as of the last position that the read models explain, which may be before the head. */
export async function readExplainedAt(
  pool: pg.Pool,
  at: string | number | undefined,
): Promise<PointInTime> {
  return readPointInTime(pool, String(at ?? (await readExplainable(pool))));
}

/** A balance by kinds of credit and debit. `adds_up`: false is a fault. */
export async function readExplanation(
  pool: pg.Pool,
  query: {
    readonly account: string;
    readonly asset: Asset;
    readonly from?: string | number | undefined;
    readonly at?: string | number | undefined;
  },
) {
  const { account, asset } = query;
  const at = await readExplainedAt(pool, query.at);
  const from = await readPointInTime(pool, textOf(query.from) ?? '0');
  if (from.position > at.position) throw new Unanswerable('from must not be after at');
  const found = await explainBalance(pool, {
    account,
    asset,
    from: from.position,
    at: at.position,
  });
  const sum = found.terms.reduce((total, { minor }) => total + minor, found.openingMinor);
  return {
    account,
    from,
    at,
    opening: amount(asset, found.openingMinor),
    terms: found.terms.map(({ type, game, credit, events, minor, filter }) => ({
      type,
      game: game === '' ? null : game,
      credit,
      events,
      amount: amount(asset, minor),
      filter: filterAnswer(filter),
    })),
    balance: amount(asset, found.balanceMinor),
    adds_up: sum === found.balanceMinor,
    since: found.since === 0 ? null : found.since,
  };
}

async function readLines(pool: pg.Pool, query: AdminRequest<'accountMovements'>['query']) {
  const { account, asset, before, limit = MOVEMENTS_BY_DEFAULT } = query;
  const { movements, next } = await readMovements(pool, { account, asset, before, limit });
  return {
    account,
    lines: movements.map(({ recorded, deltaMinor, afterMinor }) => {
      const { position, time, event, stream } = recorded;
      const { kind, id } = parseStream(stream);
      return {
        position,
        time,
        type: event.type,
        ...sentenceAnswer(sentenceOf(event)),
        player: kind === 'player' ? id : null,
        amount: amount(asset, deltaMinor),
        after: amount(asset, afterMinor),
      };
    }),
    next,
  };
}
