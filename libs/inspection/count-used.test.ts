import { initialPlayer } from '@reelbook/ledger/player/state';
import { givenPlayer } from '@reelbook/testing/given';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { countUsed } from './count-used.ts';

/** Each query fails. */
const pool = new pg.Pool({ host: '127.0.0.1', port: 1 });
afterAll(() => pool.end());

const player = givenPlayer('2026-03-04T12:00:00Z');
const limit = (amountMinor: bigint | null, more: { operatorReason?: string } = {}) => ({
  ...({ type: 'SetLimit', kind: 'wager', period: 'month', nowMs: player.nowMs } as const),
  amountMinor,
  ...more,
});

test('a first limit reads the events of its window', async () => {
  await expect(countUsed(pool, player.state, limit(100n))).rejects.toThrow(/ECONNREFUSED/);
});

test.each([
  ['with an amount below 0', limit(-100n)],
  ['with an amount that is too large', limit(10n ** 18n + 1n)],
  ['of an operator without a reason', limit(100n, { operatorReason: ' ' })],
  ['that is removed and was never set', limit(null)],
])('a limit %s reads none', async (_what, command) => {
  expect(await countUsed(pool, player.state, command)).toEqual(command);
});

test('a limit of a wallet that is no player reads none', async () => {
  expect(await countUsed(pool, initialPlayer, limit(100n))).toEqual(limit(100n));
});
