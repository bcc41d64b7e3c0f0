import {
  adminErrors,
  commonErrors,
  internalErrors,
  playerErrors,
} from '@reelbook/contract/call-errors';
import { refusals } from '@reelbook/contract/refusals';
import { read } from '@reelbook/testing/repository';
import { expect, test } from 'vitest';
import { adminApiPage, playerApiPage } from './api-page.ts';

test('docs/api.md and docs/api-admin.md are up to date; npm run generate writes them', () => {
  expect(read('docs/api.md')).toBe(playerApiPage());
  expect(read('docs/api-admin.md')).toBe(adminApiPage());
});

test('every error code is listed with the calls that return it', () => {
  const listed = [commonErrors, playerErrors, adminErrors].flatMap((by) =>
    Object.values(by).flat(),
  );
  const missing = Object.keys(refusals).filter(
    (code) => ![...listed, ...internalErrors].includes(code as never),
  );
  expect(missing).toEqual([]);
});
