import { ApiError } from '@reelbook/contract/client';
import { expect, test } from 'vitest';
import { refusalText } from './refusal-text.ts';

test('an error has the text of the server, or that of no response', () => {
  const data = { error: 'config-invalid' };
  expect(refusalText(new ApiError(422, 'the configuration is refused', data))).toBe(
    'the configuration is refused',
  );
  expect(refusalText(new ApiError(502, 'Bad Gateway', null))).toBe('Bad Gateway');
  const unreachable = 'The server cannot be reached. No data is lost. Try again later.';
  expect(refusalText(new ApiError(0, 'No connection', null))).toBe(unreachable);
  expect(refusalText(new TypeError('fetch failed'))).toBe(unreachable);
});
