import { ApiError } from '@reelbook/contract/client';
import { expect, test } from 'vitest';
import { betFault } from './place-bet.ts';

const refused = (error: string, figures: Readonly<Record<string, number>> = {}) =>
  new ApiError(400, `English of ${error}`, { error, ...figures });

test('codes of the server select the texts of the specification, whatever its message', () => {
  expect(betFault(refused('insufficient-points'))).toEqual({
    key: 'slot.error.insufficient',
  });
  expect(betFault(refused('bet-below-minimum', { min_stake: 2 }))).toEqual({
    key: 'slot.error.minimum',
    count: 2,
  });
  expect(betFault(refused('bet-above-maximum'))).toEqual({
    key: 'slot.error.maximum',
    max: 1000,
  });
  expect(betFault(refused('moon-full'))).toEqual({
    key: 'slot.error.other',
    why: 'English of moon-full',
  });
});

test('no response, or an error of the app, is a failure without a reason', () => {
  expect(betFault(new ApiError(0, 'No connection', null))).toEqual({
    key: 'slot.error.unknown',
  });
  expect(betFault(new TypeError('x'))).toEqual({ key: 'slot.error.unknown' });
});
