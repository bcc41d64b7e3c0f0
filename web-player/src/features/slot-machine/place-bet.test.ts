import { ApiError } from '@reelbook/contract/client';
import { expect, test } from 'vitest';
import { betFault } from './place-bet.ts';

const refused = (message: string) => new ApiError(400, message, null);
const config = { min_bet: 2, max_bet: 500 };

test('phrases of the server select the texts of the specification', () => {
  expect(betFault(refused('insufficient points balance: you have 4'), config)).toEqual({
    key: 'slot.error.insufficient',
  });
  expect(betFault(refused('bet amount below minimum: bet at least 2'), config)).toEqual({
    key: 'slot.error.minimum',
    count: 2,
  });
  expect(betFault(refused('bet amount exceeds maximum'), undefined)).toEqual({
    key: 'slot.error.maximum',
    max: 1000,
  });
  expect(betFault(refused('the moon is full'), config)).toEqual({
    key: 'slot.error.other',
    why: 'the moon is full',
  });
});

test('no response, or no message, is a failure without a reason', () => {
  expect(betFault(new ApiError(0, 'No connection', null), config)).toEqual({
    key: 'slot.error.unknown',
  });
  expect(betFault(new TypeError('x'), config)).toEqual({ key: 'slot.error.unknown' });
});
