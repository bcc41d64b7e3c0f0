import { expect, test } from 'vitest';
import { refusalOf } from './command.ts';

const failure = (code: string, message: string) => Object.assign(new Error(message), { code });

test('what is refused is told with what may mend it, what nobody refused is not', () => {
  expect(refusalOf(failure('42P01', 'relation "head" does not exist'))).toContain(
    'npm run migrate',
  );
  expect(refusalOf(failure('ECONNREFUSED', ''))).toMatch(/ECONNREFUSED.*npm start/);
  expect(refusalOf(failure('28P01', 'no password'))).toBe('It could not be done: no password');
  expect(refusalOf(new TypeError('a bug'))).toBeNull();
});
