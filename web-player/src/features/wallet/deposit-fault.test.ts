import { ApiError } from '@reelbook/contract/client';
import { expect, test } from 'vitest';
import { chainFault, intentFault, reportFault } from './deposit-fault.ts';

const refused = (code: number, message: string) => new ApiError(code, message, null);
const beyond = (error: string, token: number) => new ApiError(400, 'English', { error, token });

test('a refused report: limits by their codes and figures, all else with its reason', () => {
  const auto = { manual: false };
  const [above, below] = [
    beyond('deposit-above-maximum', 2_000),
    beyond('deposit-below-minimum', 5),
  ];
  expect([above, below].map((error) => reportFault(error, auto))).toEqual([
    { key: 'deposit.fault.aboveMaximum', max: '2,000' },
    { key: 'deposit.fault.belowMinimum', min: '5' },
  ]);
  expect(reportFault(refused(422, 'a limit'), auto)).toEqual({
    key: 'deposit.fault.other',
    why: 'a limit',
  });
  expect(reportFault(refused(400, 'no'), { manual: true }).key).toBe('deposit.fault.manual');
  expect([above, below].map((error) => reportFault(error, { manual: true }))).toEqual([
    { key: 'deposit.fault.manualAboveMaximum', max: '2,000' },
    { key: 'deposit.fault.manualBelowMinimum', min: '5' },
  ]);
});

test('a transaction that is no deposit of the player is refused with a code', () => {
  const error = new ApiError(400, 'English', { error: 'deposit-not-ours', fault: 'wrong-sender' });
  expect(reportFault(error, { manual: true })).toEqual({
    key: 'deposit.fault.manual',
    code: 'wrong-sender',
  });
});

test('a refused intent has the texts of a report; one without a response sent nothing', () => {
  expect(intentFault(refused(403, 'you excluded yourself'))).toEqual({
    key: 'deposit.fault.other',
    why: 'you excluded yourself',
  });
  for (const error of [refused(0, 'No connection'), refused(503, 'busy'), new Error('x')]) {
    expect(intentFault(error)).toEqual({ key: 'deposit.fault.network' });
  }
});

test('failures on the chain, by their messages', () => {
  const key = (text: string) => chainFault(new Error(text)).key;
  expect(
    chainFault(new Error('Insufficient BSM token balance. Required: 5 BSM, Available: 0.5 BSM.')),
  ).toEqual({ key: 'deposit.fault.insufficient', required: '5', available: '0.5' });
  expect(key('Token contract address is not configured. Please')).toBe('deposit.fault.noContract');
  expect(key('You do not have a BSM token account.')).toBe('deposit.fault.noAccount');
  expect(key('The token contract could not be read on the chain.')).toBe(
    'deposit.fault.unreadableMint',
  );
  expect(key('User rejected the request.')).toBe('deposit.fault.cancelled');
  expect(key('Insufficient funds for fee')).toBe('deposit.fault.noFunds');
  expect(key('failed to get info about account: TypeError: Failed to fetch')).toBe(
    'deposit.fault.network',
  );
  expect(chainFault(refused(503, 'busy')).key).toBe('deposit.fault.network');
  expect(key('the wallet has crashed')).toBe('deposit.fault.notSent');
});
