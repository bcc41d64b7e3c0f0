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
import { observeTreasury } from '@reelbook/testing/treasury';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';
import { forge, tamperWith } from './tamper.ts';

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

/** What the audit's own count of protection says of a ledger with one more command in it. */
const faultsOf = (wallet: string, make: (state: PlayerState) => readonly LedgerEvent[]) =>
  tamperWith(
    database.pool('owner'),
    () => forge(pool, playerStream(wallet), make as never),
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.filter(({ check }) => check === 'protection').map((one) => one.message);
    },
  );

/** A stake that no guard has seen, at a time. */
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

/** Set now, or as long ago as said, and in force so long after that. */
function limitSet(
  amountMinor: bigint | null,
  { afterMs = 0, agoMs = 0 }: { afterMs?: number; agoMs?: number } = {},
): LedgerEvent {
  const atMs = Date.now() - agoMs;
  const limit = { kind: 'wager', period: 'month', amountMinor } as const;
  return { type: 'LimitSet', data: { atMs, ...limit, fromMs: atMs + afterMs } };
}

type Forged = readonly [
  string,
  () => string,
  string,
  (state: PlayerState) => readonly LedgerEvent[],
];
const forgeries: readonly Forged[] = [
  [
    'a stake beyond a limit',
    () => ann,
    'a stake that brings wager month to 10100 where 10000 was the limit',
    (state) => staked(state, 10_100n),
  ],
  [
    'a limit loosened at once',
    () => ann,
    'a limit is loosened before its time',
    () => [limitSet(20_000n)],
  ],
  [
    'a limit removed an hour early',
    () => ann,
    'a limit is loosened before its time',
    () => [limitSet(null, { afterMs: 23 * HOUR_MS })],
  ],
  [
    'a limit tightened tomorrow',
    () => ann,
    'a limit is tightened, and not at once',
    () => [limitSet(5_000n, { afterMs: 24 * HOUR_MS })],
  ],
  [
    'a time ahead of the ledger',
    () => ann,
    'its own time is ahead of the time that it was sealed',
    (state) => staked(state, 100n, Date.now() + HOUR_MS),
  ],
  [
    'a time long past',
    () => dan,
    'its own time is long before it was sealed',
    () => [limitSet(100n, { agoMs: HOUR_MS })],
  ],
  [
    'a change cancelled that did not wait',
    () => ann,
    'a change is cancelled that did not wait',
    () => [
      { type: 'LimitChangeCancelled', data: { atMs: Date.now(), kind: 'wager', period: 'month' } },
    ],
  ],
  [
    'a stake while excluded',
    () => bob,
    'a stake of a player who is excluded',
    (state) => staked(state, 100n),
  ],
  [
    'points bought while excluded',
    () => bob,
    'points bought by a player who is excluded',
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
    'an exclusion that is made shorter',
    (state) => {
      const [atMs, notice] = [Date.now(), nextNotice(state)];
      return [{ type: 'SelfExcluded', data: { atMs, untilMs: atMs + HOUR_MS, notice } }];
    },
  ],
  [
    'a reality check that was not due',
    () => cleo,
    'a reality check is acknowledged that was not due',
    (state) => {
      const sinceMs = state.protection?.play?.sinceMs ?? 0;
      const data = { atMs: Date.now(), sinceMs, stakedMinor: 1_000n, wonMinor: 0n };
      return [{ type: 'RealityCheckAcknowledged', data }];
    },
  ],
  [
    'a reality check of another interval than there are',
    () => cleo,
    'an interval of reality checks that there is not',
    () => [{ type: 'RealityCheckSet', data: { atMs: Date.now(), everyMs: 1_000 } }],
  ],
];

describe('protection', () => {
  it('of an honest ledger is found whole', async () => {
    expect(await faultsOf(ann, (state) => staked(state, 10_000n))).toEqual([]);
    expect(await faultsOf(cleo, (state) => staked(state, 100n))).toEqual([]);
  });
  it.each(forgeries)('is found out: %s', async (_what, wallet, fault, make) => {
    expect(await faultsOf(wallet(), make)).toEqual([fault]);
  });
  it('is found out: a stake past a reality check, and one that told another session', async () => {
    const [sixMinutes, start] = [6 * 60_000, Date.now()];
    const faults = await faultsOf(cleo, (state) => [
      ...staked(state, 100n, start + sixMinutes),
      {
        type: 'RealityCheckAcknowledged',
        data: { atMs: start + sixMinutes, sinceMs: start, stakedMinor: 1n, wonMinor: 0n },
      },
    ]);
    expect(faults).toContain('a stake past a reality check that was due');
    expect(faults).toContain('a reality check told another session than was played');
  });
});

it('names a clock that a caller of the append wrote after the data', async () => {
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
