import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { Exchange } from '@reelbook/ledger/player/commands';
import type { Exchanged } from '@reelbook/ledger/player/events';
import { exchange } from '@reelbook/ledger/player/exchange';
import { nextNotice } from '@reelbook/ledger/player/notices';
import { balancesOf, type PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { observeTreasury } from '@reelbook/testing/treasury';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';
import type { Check } from './findings.ts';

const COVER_MINOR = 2_000_000_000n;

let database: TestDatabase;
let pool: pg.Pool;
let ann: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  await observeTreasury(pool, COVER_MINOR);
  ann = await players.register();
  await players.exchange(ann, 'points', 10_000n);
  await executor.close();
});
afterAll(() => database.drop());

/** The audit's first finding when the server appends what no decision allows. */
const findingOf = (stream: string, make: (state: never) => readonly LedgerEvent[]) =>
  tamperWith(
    database.pool('owner'),
    () => forge(pool, stream, make),
    async () => (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.first(),
  );

const honest: Exchange = {
  type: 'Exchange',
  fromAsset: 'points',
  toAsset: 'token',
  amountMinor: 1_000n,
  terms: defaultConfig.exchange,
};

function exchanged(state: PlayerState, part: Partial<Exchange> = {}): Exchanged['data'] {
  const events = exchange(state, { ...honest, ...part });
  if (isRejection(events)) throw new Error(events.rejected);
  return events[0].data;
}

type Forged = (state: PlayerState) => LedgerEvent;

const forgeries: readonly [string, Check, string, Forged][] = [
  [
    'an exchange at a better rate',
    'terms',
    'rate differs',
    (state) => {
      const terms = { ...honest.terms, pointsToToken: { numerator: 1, denominator: 99 } };
      return { type: 'Exchanged', data: exchanged(state, { terms }) };
    },
  ],
  [
    'an exchange rounded in favour of the player',
    'terms',
    'gives 0.100000001 BSM instead of 0.1 BSM',
    (state) => {
      const data = exchanged(state);
      const tokenMinor = data.after.tokenMinor + 1n;
      return {
        type: 'Exchanged',
        data: { ...data, toMinor: data.toMinor + 1n, after: { ...data.after, tokenMinor } },
      };
    },
  ],
  [
    'an exchange that gives nothing',
    'terms',
    'exchange-amount-invalid',
    (state) => {
      const none = { fromMinor: 0n, toMinor: 0n, after: balancesOf(state) };
      return { type: 'Exchanged', data: { ...exchanged(state), ...none } };
    },
  ],
  [
    'an exchange without cover',
    'money',
    'more BSM than the treasury covers',
    (state) => ({ type: 'Exchanged', data: exchanged(state, { amountMinor: 15_000n }) }),
  ],
  [
    'a win reported as a big one',
    'terms',
    'is notified as a big win',
    (state) => {
      const [after, notice] = [balancesOf(state), nextNotice(state)];
      const bet = { round: 'x', game: 'slot-machine', outcome: {}, stakeMinor: 100n };
      return { type: 'BetWon', data: { ...bet, payoutMinor: 0n, after, notice } };
    },
  ],
  [
    'an exchange without its notification',
    'columns',
    'must have required properties notice',
    (state) => {
      const { notice: _, ...data } = exchanged(state);
      return { type: 'Exchanged', data };
    },
  ],
  [
    'an observation in a player’s stream',
    'columns',
    'is not allowed in',
    () => ({ type: 'NotificationsRead', data: { from: 1, to: 1, unread: 1 } }),
  ],
];

describe('an intact ledger that cheats with token', () => {
  it.each(forgeries)('finds %s', async (_what, check, message, make) => {
    const isForeign = message === 'is not allowed in';
    const stream = isForeign ? TREASURY_STREAM : playerStream(ann);
    const found = await findingOf(stream, (state: PlayerState) => [make(state)]);
    expect(found).toMatchObject({ check, message: expect.stringContaining(message) });
    expect(found?.position).toEqual(expect.any(Number));
  });

  it('finds an observation that hides the one before', async () => {
    const data = { tokenMinor: 5n, previousTokenMinor: 0n, source: 'x' };
    const found = await findingOf(TREASURY_STREAM, () => [{ type: 'TreasuryObserved', data }]);
    expect(found).toMatchObject({ check: 'terms', position: expect.any(Number) });
  });
});
