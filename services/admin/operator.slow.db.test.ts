import { execFile } from 'node:child_process';
import { RUN } from '@reelbook/runtime/repository';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** `npm run reelbook -- operator ...` on the ledger of the test. */
function operator(...words: string[]): Promise<{ code: number; output: string }> {
  const args = [RUN, 'services/cli/main.ts', 'operator', ...words];
  const env = { ...process.env, DATABASE_URL: database.url };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });
}

test('the shell creates the first admin and changes operators', async () => {
  const [ann, bob, carl] = [createWallet(), createWallet(), createWallet()].map(
    ({ address }) => address,
  ) as [string, string, string];
  const why = ['--reason', 'of the team'];
  const [help, empty] = await Promise.all([operator('--help'), operator('list')]);
  expect(help).toMatchObject({
    code: 0,
    output: expect.stringContaining('npm run reelbook -- operator'),
  });
  expect(empty).toEqual({ code: 0, output: 'no operators; add the first admin\n' });
  const add = await operator('add', ann, '--role', 'admin', ...why);
  expect(add).toEqual({ code: 0, output: `${ann}  admin\n#1 in the ledger\n` });
  const refused = await Promise.all([
    operator('add', ann, '--role', 'viewer', ...why),
    operator('add', bob, '--role', 'viewer'),
    operator('revoke', ann, ...why),
    operator('add', 'me', '--role', 'viewer', ...why),
    operator('add', bob, '--role', 'owner', ...why),
  ]);
  expect(refused.map(({ code }) => code)).toEqual([1, 1, 1, 1, 2]);
  const [twice, unexplained, last, invalid] = refused.map(({ output }) => output);
  expect(twice).toBe('refused: this wallet is an operator already, with the role admin\n');
  expect(unexplained).toBe('refused: a reason of 1 to 500 characters is needed\n');
  expect(last).toBe('refused: this is the last admin; appoint another one first\n');
  expect(invalid).toBe('refused: operator must be the address of a Solana wallet\n');
  expect((await operator('add', bob, '--role', 'viewer', ...why)).code).toBe(0);
  expect((await operator('role', bob, '--role', 'operator', ...why)).output).toContain('operator');
  expect((await operator('revoke', bob, ...why)).output).toContain('revoked');
  // The shell can create no admin after the second.
  expect((await operator('add', bob, '--role', 'admin', ...why)).output).toContain('admin');
  for (const role of ['viewer', 'admin']) {
    const { code, output } = await operator('add', carl, '--role', role, ...why);
    expect({ code, output }).toEqual({
      ...{ code: 0, output: expect.stringMatching(/PROPOSED as number \d+, #\d+ in the ledger/) },
    });
  }
  const { output } = await operator('list');
  expect(output.trim().split('\n').sort()).toEqual([`${ann}  admin`, `${bob}  admin`].sort());
});
