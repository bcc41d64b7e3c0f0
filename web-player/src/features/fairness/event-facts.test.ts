import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import { PLAYER_EVENTS } from '@reelbook/ledger/player/events';
import { dateTime } from '@reelbook/web/format';
import { expect, test } from 'vitest';
import { enAccount } from '../../locales/en-account.ts';
import { factsOf } from './event-dialog.tsx';

const TIME = '2026-11-25T10:00:00.000Z';

const factsIn = (type: string, data: object) =>
  factsOf(
    JSON.stringify({
      position: 7,
      stream: 'player:w',
      version: 3,
      type,
      time: TIME,
      data,
    }),
  );
const shown = (type: string, data: object) =>
  Object.fromEntries(
    (factsIn(type, data)?.facts ?? []).map(({ field, text, asset }) => [
      field,
      asset ? `${text} ${asset}` : text,
    ]),
  );

test('amounts are in units, with their asset, and the balances after the event', () => {
  const after = { pointsMinor: '99000', tokenMinor: '1500000001' };
  const withdrawal = {
    withdrawal: 'abc-w1',
    to: 'wallet',
    amountMinor: '10000000000',
    feeMinor: '500000000',
    netMinor: '9500000000',
    after,
    notice: { n: 1, unread: 1 },
  };
  expect(shown('WithdrawalRequested', withdrawal)).toEqual({
    amountMinor: '10.00 token',
    feeMinor: '0.50 token',
    netMinor: '9.50 token',
    to: 'wallet',
    withdrawal: 'abc-w1',
    afterPoints: '990.00 points',
    afterToken: '1.500000001 token',
  });
  const exchange = {
    fromAsset: 'points',
    toAsset: 'token',
    fromMinor: '1000',
    toMinor: '100000000',
  };
  expect(shown('Exchanged', exchange)).toEqual({
    fromMinor: '10.00 points',
    toMinor: '0.10 token',
  });
  expect(shown('BalanceAdjusted', { asset: 'points', deltaMinor: '-250' })).toEqual({
    deltaMinor: '−2.50 points',
  });
});

test('a limit is in the unit of its kind; times are dates; no limit is a word', () => {
  const limit = { kind: 'loss', period: 'day', amountMinor: '5000', fromMs: Date.parse(TIME) };
  expect(shown('LimitSet', limit)).toMatchObject({
    kind: 'loss',
    period: 'day',
    amountMinor: '50.00 points',
    fromMs: dateTime(TIME),
  });
  expect(shown('LimitSet', { kind: 'deposit', amountMinor: '1000000000' }).amountMinor).toBe(
    '1.00 token',
  );
  expect(shown('LimitSet', { kind: 'loss', amountMinor: null }).amountMinor).toBe('none');
});

test('a text that is no event has no facts', () => {
  for (const body of ['', 'null', '{}', '{"stream":1}', 'x'])
    expect(factsOf(body), body).toBeNull();
});

test('every event that a player may see has a name', () => {
  const visible = Object.keys(PLAYER_EVENTS).filter((type) => isVisibleToPlayer({ type }));
  expect(Object.keys(enAccount.eventType).sort()).toEqual(visible.sort());
});
