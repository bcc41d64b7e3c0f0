import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadState } from '@reelbook/event-store/read-stream';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { afterAll, beforeAll, expect, test } from 'vitest';

const BETS = 15;
/** No database listens here. */
const NOWHERE = 'postgresql://reelbook@127.0.0.1:1/ledger';

let bank: PayingSite;
let copy: TestDatabase;
let unproven: TestDatabase;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'reelbook-backup-'));
  bank = await startPayingSite();
  copy = await createDatabase({ bare: true });
  unproven = await createDatabase({ bare: true });
});
afterAll(async () => {
  await bank.close();
  await copy.drop();
  await unproven.drop();
  rmSync(folder, { recursive: true, force: true });
});

const isPaying = async (database: TestDatabase) => {
  const { state } = await loadState(database.pool('app'), configDecider, CONFIG_STREAM);
  return state.config?.withdraw.enabled;
};

type Command = 'backup' | 'restore' | 'migrate';

async function run(command: Command, url: string, ...words: string[]) {
  return runWith({}, command, url, ...words);
}

async function runWith(
  more: Readonly<Record<string, string>>,
  command: Command,
  url: string,
  ...words: string[]
) {
  const child = spawn(process.execPath, [RUN, 'services/cli/main.ts', command, ...words], {
    env: { PATH: dirname(process.execPath), DATABASE_URL: url, ...more },
    cwd: REPOSITORY,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}

test('backup and restore as commands: same head, clean audit, paused withdrawals', async () => {
  const cashier = await bank.startCashier();
  const player = await bank.player(10n * BSM);
  await bank.credit(player, 5n * BSM);
  for (let bet = 0; bet < BETS; bet++) {
    await player.call('/game/slot-machine/bet', { body: { bet_amount: 1, lines: 25 } });
  }
  await cashier.close();
  const to = join(folder, 'backup');
  const made = await run('backup', bank.site.database.url, '--to', to);
  expect(made).toMatchObject({ code: 0, output: expect.stringContaining('created and verified') });
  const [head = 'none'] = /#\d+ [0-9a-f]{64}/.exec(made.output) ?? [];
  const restored = await run('restore', copy.url, '--from', to);
  expect(restored.output).toContain(`restored ${head}`);
  expect(restored.output).toContain('every check passed');
  expect(restored.code).toBe(0);
  expect(await isPaying(copy)).toBe(false);
  const again = await run('restore', copy.url, '--from', to);
  expect(again).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
  const verified = await run('backup', NOWHERE, '--verify', to);
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining(`head ${head}`) });
  const otherKey = { SEED_KEY: 'ab'.repeat(32) };
  const doubtful = await runWith(otherKey, 'restore', unproven.url, '--from', to);
  expect(doubtful).toMatchObject({
    code: 1,
    output: expect.stringContaining('was encrypted with key'),
  });
  expect(await isPaying(unproven)).toBe(false);
});

test.each([
  { command: 'backup', words: ['--help'], code: 0, output: 'Copies one snapshot of the ledger' },
  { command: 'restore', words: ['--help'], code: 0, output: 'Fills the EMPTY database' },
  { command: 'backup', words: ['--verify', '.'], code: 1, output: '. has no complete backup' },
  { command: 'backup', words: ['--to', '.'], code: 1, output: 'exists already' },
  { command: 'restore', words: ['--from', '.'], code: 1, output: '. has no complete backup' },
  { command: 'backup', words: ['--from', '.'], code: 2, output: "Unknown option '--from'" },
  { command: 'backup', words: ['--to', 'a', '--verify', 'b'], code: 2, output: 'not both' },
  { command: 'restore', words: [], code: 2, output: '--from FOLDER is required' },
] as const)(
  '$command $words exits with $code and a reason',
  async ({ command, words, ...expected }) => {
    const { code, output } = await run(command, NOWHERE, ...words);
    expect({ code, output }).toEqual({
      code: expected.code,
      output: expect.stringContaining(expected.output),
    });
    expect(output).not.toMatch(/^\s+at /m);
  },
);

test('a ledger of a later build is not migrated', async () => {
  const owner = unproven.pool('owner', 1);
  await owner.query("insert into migrations (name, sha256) values ('9999_later.sql', '')");
  const { code, output } = await run('migrate', unproven.url);
  expect(output).toContain(
    'The migration failed: the database is ahead of this build: it has 9999_',
  );
  expect(output).not.toMatch(/^\s+at /m);
  expect(code).toBe(2);
});

test('a database that does not respond is reported without a stack', async () => {
  const to = join(folder, 'never');
  const { code, output } = await run('backup', NOWHERE, '--to', to);
  expect(output).toMatch(/^The command failed: .*ECONNREFUSED/m);
  expect(output).not.toMatch(/^\s+at /m);
  expect([code, existsSync(to), existsSync(`${to}.partial`)]).toEqual([2, false, false]);
});
