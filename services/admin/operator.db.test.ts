import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { runInProcess } from '@reelbook/testing/run-program';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reelbook } from '../cli/program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** `npm run reelbook -- operator ...` on the ledger of the test. */
const operator = (...words: readonly string[]) =>
  runInProcess(reelbook, ['operator', ...words], {
    DATABASE_URL: database.url,
    DATA_DIR: '/nowhere',
  });

test('the shell creates the first admin and changes operators', async () => {
  const [ann, bob, carl] = [createWallet(), createWallet(), createWallet()].map(
    ({ address }) => address,
  ) as [string, string, string];
  const reason = ['--reason', 'of the team'];
  expect(await operator('list')).toEqual({
    code: 0,
    output: 'no operators; add the first admin\n',
  });
  const add = await operator('add', ann, '--role', 'admin', ...reason);
  expect(add).toEqual({ code: 0, output: `${ann}  admin\n#1 in the ledger\n` });
  for (const [words, why] of [
    [
      ['add', ann, '--role', 'viewer', ...reason],
      'this wallet is an operator already, with the role admin',
    ],
    [['add', bob, '--role', 'viewer'], 'a reason of 1 to 500 characters is needed'],
    [['revoke', ann, ...reason], 'this is the last admin; appoint another one first'],
    [
      ['add', 'me', '--role', 'viewer', ...reason],
      'operator must be the address of a Solana wallet',
    ],
  ] as const) {
    expect(await operator(...words)).toEqual({ code: 1, output: `refused: ${why}\n` });
  }
  expect((await operator('add', bob, '--role', 'owner', ...reason)).code).toBe(2);
  expect((await operator('add', bob, '--role', 'viewer', ...reason)).code).toBe(0);
  expect((await operator('role', bob, '--role', 'operator', ...reason)).output).toContain(
    'operator',
  );
  expect((await operator('revoke', bob, ...reason)).output).toContain('revoked');
  // The shell can create no admin after the second.
  expect((await operator('add', bob, '--role', 'admin', ...reason)).output).toContain('admin');
  for (const role of ['viewer', 'admin']) {
    const { code, output } = await operator('add', carl, '--role', role, ...reason);
    expect({ code, output }).toEqual({
      code: 0,
      output: expect.stringMatching(/PROPOSED as number \d+, #\d+ in the ledger/),
    });
  }
  const { output } = await operator('list');
  expect(output.trim().split('\n').sort()).toEqual([`${ann}  admin`, `${bob}  admin`].sort());
});
