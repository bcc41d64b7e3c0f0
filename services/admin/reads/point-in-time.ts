import type { TrialDiff } from '@reelbook/contract/admin/point-in-time';
import { readHash } from '@reelbook/event-store/chain';
import { loadState, readPosition } from '@reelbook/event-store/read-stream';
import { findChanges, toPlain } from '@reelbook/inspection/changes';
import { type PointInTime, readPointInTime } from '@reelbook/inspection/point-in-time';
import { type StreamAt, streamNamed } from '@reelbook/inspection/stream-at';
import { deciders } from '@reelbook/ledger/deciders';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';
import { readTrialBalance, type TrialBalance } from '@reelbook/projections/entries/balances';
import type pg from 'pg';
import type { Admin, AdminHandlers } from '../context.ts';
import { amount, textOf } from './convert.ts';
import type { InspectionCaches } from './inspection-caches.ts';

export function pointInTimeReads(admin: Admin, caches: InspectionCaches) {
  return { ...stateReads(admin, caches), ...balanceReads(admin) };
}

function stateReads({ pool }: Admin, { travel }: InspectionCaches) {
  const pointInTime = (at: string | number | undefined) => readPointInTime(pool, textOf(at));
  return {
    pointInTime: async ({ query }) => {
      const [at, first, head] = await Promise.all([
        pointInTime(query.at),
        pointInTime(0).then((empty) => pointInTime(1).catch(() => empty)),
        pointInTime(undefined),
      ]);
      const hash = (await readHash(pool, at.position)) ?? '';
      return { data: { at: { ...at, hash }, first, head } };
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
  } satisfies Partial<AdminHandlers>;
}

function balanceReads({ pool }: Admin) {
  return {
    trialBalance: async ({ query }) => {
      const { at, balance } = await readTrialAt(pool, textOf(query.at));
      return {
        data: {
          at,
          lines: balance.lines.map(({ line, asset, balanceMinor }) => ({
            line,
            balance: amount(asset, balanceMinor),
          })),
          sums: sumsOf(balance),
        },
      };
    },
    trialDiff: async ({ query }) => ({
      data: await readTrialDiff(pool, textOf(query.from), textOf(query.to)),
    }),
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

async function readTrialDiff(
  pool: pg.Pool,
  from: string | undefined,
  to: string | undefined,
): Promise<TrialDiff> {
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

function sumsOf({ lines }: TrialBalance) {
  const sums = new Map<Asset, bigint>();
  for (const { asset, balanceMinor } of lines) {
    sums.set(asset, (sums.get(asset) ?? 0n) + balanceMinor);
  }
  return [...sums].map(([asset, minor]) => amount(asset, minor));
}
