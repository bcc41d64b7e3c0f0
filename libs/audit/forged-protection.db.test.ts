import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { exchange } from '@reelbook/ledger/player/exchange';
import { nextNotice } from '@reelbook/ledger/player/notices';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { observeTreasury } from '@reelbook/testing/treasury';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

const HOUR_MS = 3_600_000;

let database: TestDatabase;
let pool: pg.Pool;
/** Limited to 100 points of stakes a month. */
let ann: string;
/** Excluded for a week. */
let bob: string;
/** With a reality check of 5 minutes, in a session of 10 points. */
let cleo: string;
let dan: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  await observeTreasury(pool, 10n ** 12n);
  [ann, bob, cleo, dan] = [
    await players.register(),
    await players.register(),
    await players.register(),
    await players.register(),
  ];
  await players.exchange(bob, 'points', 10_000n);
  await executor.close();
  const nowMs = Date.now();
  const [kind, period] = ['wager', 'month'] as const;
  await honest(ann, { type: 'SetLimit', nowMs, kind, period, amountMinor: 10_000n });
  await honest(bob, { type: 'ExcludeSelf', nowMs, term: '7d' });
  const everyMs = 5 * 60_000;
  await honest(cleo, { type: 'SetRealityCheck', nowMs, everyMs, realityCheckMs: null });
  await forge(pool, playerStream(cleo), (state: PlayerState) => staked(state, 1_000n));
});
afterAll(() => database.drop());

const honest = (wallet: string, command: PlayerCommand) =>
  forge(pool, playerStream(wallet), (state: PlayerState) => decided(state, command));

function decided(state: PlayerState, command: PlayerCommand): readonly LedgerEvent[] {
  const events = playerDecider.decide(state, command);
  if (isRejection(events)) throw new Error(events.rejected);
  return events;
}

/** The audit's findings about protection in a ledger with one command added. */
const faultsOf = (wallet: string, make: (state: PlayerState) => readonly LedgerEvent[]) =>
  tamperWith(
    database.pool('owner'),
    () => forge(pool, playerStream(wallet), make as never),
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.filter(({ check }) => check === 'protection').map((one) => one.message);
    },
  );

/** A stake that no guard has checked, at a time. */
function staked(state: PlayerState, stakeMinor: bigint, atMs = Date.now()): readonly LedgerEvent[] {
  const { protection: _, ...unguarded } = state;
  const { seeds } = state;
  const [placed, ended] = decided(unguarded, {
    type: 'PlaceBet',
    game: 'slot-machine',
    stakeMinor,
    lines: 25,
    limits: { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 },
    rules: 'slot-1',
    pair: seeds?.pair ?? 0,
    nonce: seeds?.nonce ?? 0,
    draw: () => ({ outcome: { symbols: [1, 2, 3] }, payoutMinor: 0n }),
    bigWinMultiple: 4,
  });
  return [{ ...placed, data: { ...placed?.data, atMs } }, ended] as readonly LedgerEvent[];
}

/** Set now or the given time ago, and in force the given time later. */
function limitSet(
  amountMinor: bigint | null,
  { afterMs = 0, agoMs = 0 }: { afterMs?: number; agoMs?: number } = {},
): LedgerEvent {
  const atMs = Date.now() - agoMs;
  const limit = { kind: 'wager', period: 'month', amountMinor } as const;
  return { type: 'LimitSet', data: { atMs, ...limit, fromMs: atMs + afterMs } };
}

/** The first of its kind and period, with what was used before. */
function counted(kind: 'wager' | 'loss', usedMinor: bigint) {
  const atMs = Date.now();
  const limit = { kind, period: 'day', amountMinor: 100n, fromMs: atMs, usedMinor } as const;
  return { type: 'LimitSet', data: { atMs, ...limit } };
}

/** A first limit, with the session before it. */
function withPlayed(stakedMinor: bigint) {
  const { type, data } = counted('wager', 0n);
  const { usedMinor: _, ...limit } = data;
  const played = { sinceMs: data.atMs, lastMs: data.atMs, stakedMinor, wonMinor: 0n };
  return { type, data: { ...limit, played } } as const;
}

type Forged = readonly [
  string,
  () => string,
  string,
  (state: PlayerState) => readonly LedgerEvent[],
];
const forgeries: readonly Forged[] = [
  [
    'a first limit with a session that was not played',
    () => dan,
    'the session before it differs from the events',
    () => [withPlayed(900n)],
  ],
  [
    'a session that is counted a second time',
    () => ann,
    'a session that is followed is counted again',
    (state) => [...staked(state, 900n), withPlayed(900n)],
  ],
  [
    'a limit that does not contain what was used before it',
    () => cleo,
    'the limit does not contain what was used before it',
    () => [counted('wager', 900n)],
  ],
  [
    'a limit that exists and is counted again',
    () => dan,
    'a limit that exists is counted again',
    (state) => [...staked(state, 100n), counted('wager', 100n), counted('wager', 100n)],
  ],
  [
    'a stake beyond a limit',
    () => ann,
    'the stake raises wager month to 101 points; the limit is 100 points',
    (state) => staked(state, 10_100n),
  ],
  [
    'a limit loosened immediately',
    () => ann,
    'a limit is loosened before its delay is over',
    () => [limitSet(20_000n)],
  ],
  [
    'a limit removed an hour early',
    () => ann,
    'a limit is loosened before its delay is over',
    () => [limitSet(null, { afterMs: 23 * HOUR_MS })],
  ],
  [
    'a limit tightened tomorrow',
    () => ann,
    'a limit is tightened with a delay',
    () => [limitSet(5_000n, { afterMs: 24 * HOUR_MS })],
  ],
  [
    'a limit loosened by an operator',
    () => ann,
    'an operator loosens a limit',
    (state) => {
      const { type, data } = limitSet(20_000n, { afterMs: 24 * HOUR_MS });
      return [
        { type, data: { ...data, reason: 'as a favour', notice: nextNotice(state) } },
      ] as never;
    },
  ],
  [
    'a time ahead of the ledger',
    () => ann,
    'its own time is later than its recorded time',
    (state) => staked(state, 100n, Date.now() + HOUR_MS),
  ],
  [
    'a time long past',
    () => dan,
    'its own time is long before its recorded time',
    () => [limitSet(100n, { agoMs: HOUR_MS })],
  ],
  [
    'the cancellation of a change that was not pending',
    () => ann,
    'the cancelled change was not pending',
    () => [
      { type: 'LimitChangeCancelled', data: { atMs: Date.now(), kind: 'wager', period: 'month' } },
    ],
  ],
  [
    'a stake during an exclusion',
    () => bob,
    'an excluded player staked',
    (state) => staked(state, 100n),
  ],
  [
    'a purchase of points during an exclusion',
    () => bob,
    'an excluded player bought points',
    (state) => {
      const { protection: _, ...unguarded } = state;
      const [fromAsset, toAsset, terms] = ['token', 'points', defaultConfig.exchange] as const;
      const command = {
        type: 'Exchange',
        fromAsset,
        toAsset,
        amountMinor: 10_000_000n,
        terms,
      } as const;
      const events = exchange(unguarded, command);
      if (isRejection(events)) throw new Error(events.rejected);
      return [{ type: 'Exchanged', data: { ...events[0].data, atMs: Date.now() } }];
    },
  ],
  [
    'an exclusion made shorter',
    () => bob,
    'an exclusion is shortened',
    (state) => {
      const [atMs, notice] = [Date.now(), nextNotice(state)];
      return [{ type: 'SelfExcluded', data: { atMs, untilMs: atMs + HOUR_MS, notice } }];
    },
  ],
  [
    'a reality check that was not due',
    () => cleo,
    'the acknowledged reality check was not due',
    (state) => {
      const sinceMs = state.protection?.play?.sinceMs ?? 0;
      const data = { atMs: Date.now(), sinceMs, stakedMinor: 1_000n, wonMinor: 0n };
      return [{ type: 'RealityCheckAcknowledged', data }];
    },
  ],
  [
    'an unknown reality check interval',
    () => cleo,
    'unknown reality check interval',
    () => [{ type: 'RealityCheckSet', data: { atMs: Date.now(), everyMs: 1_000 } }],
  ],
];

describe('protection', () => {
  it('finds nothing in an honest ledger', async () => {
    expect(await faultsOf(ann, (state) => staked(state, 10_000n))).toEqual([]);
    expect(await faultsOf(cleo, (state) => staked(state, 100n))).toEqual([]);
    expect(await faultsOf(cleo, () => [counted('loss', 1_000n), counted('wager', 1_000n)])).toEqual(
      [],
    );
  });
  it.each(forgeries)('finds %s', async (_what, wallet, fault, make) => {
    expect(await faultsOf(wallet(), make)).toEqual([fault]);
  });
  it('finds a stake past a reality check, and a reality check with figures of another session', async () => {
    const [sixMinutes, start] = [6 * 60_000, Date.now()];
    const faults = await faultsOf(cleo, (state) => [
      ...staked(state, 100n, start + sixMinutes),
      {
        type: 'RealityCheckAcknowledged',
        data: { atMs: start + sixMinutes, sinceMs: start, stakedMinor: 1n, wonMinor: 0n },
      },
    ]);
    expect(faults).toContain('the player staked although a reality check was due');
    expect(faults).toContain('the figures of the reality check differ from the session');
  });
});

it('reports a clock that a caller of the append added after the data', async () => {
  const agoMs = 48 * HOUR_MS;
  const clock = new Date(Date.now() - agoMs).toISOString();
  const stream = playerStream(dan);
  const write = () =>
    forge(...([pool, stream, () => [limitSet(1n, { agoMs })], 'system:thief'] as const), (tail) =>
      tail.replace(/}$/, `,"clock":"${clock}"}`),
    );
  await tamperWith(database.pool('owner'), write, async () => {
    const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
    const { message } = findings.kept.find(({ check }) => check === 'columns') ?? {};
    expect(message).toBe('its clock was not written by the append');
  });
});
