import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { Config } from '@reelbook/ledger/config/config';
import type { ConfigState } from '@reelbook/ledger/config/decide';
import { changedValues } from '@reelbook/ledger/config/edit';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import type { OperatorsState } from '@reelbook/ledger/operators/state';
import { CONFIG_STREAM, OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';
import { forge, tamperWith } from './tamper.ts';

/** A login that may append may write these events: the audit finds each of them from the events alone. */
const [ANN, BOB, CARL, EVE] = [1, 2, 3, 4].map((n) => createWallet(n).address) as [
  string,
  string,
  string,
  string,
];
const [ann, bob, carl] = [ANN, BOB, CARL].map((one) => `operator:${one}`) as [
  string,
  string,
  string,
];
const SHELL = 'system:operator-command';
const reason = 'as agreed';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  await createPlayers({ executor, vault }).configure();
  await executor.close();
  await addOperator(pool, CARL, 'operator');
  await addOperator(pool, ANN, 'admin');
  await addOperator(pool, BOB, 'admin');
  for (const operator of [ANN, BOB, CARL]) await signInOperator(pool, operator);
});
afterAll(() => database.drop());

type Step = readonly [actor: string, stream: string, make: (state: never) => LedgerEvent];

/** The audit's findings about operators after these steps. */
const faultsOf = (steps: readonly Step[], waitMs = 0) =>
  tamperWith(
    database.pool('owner'),
    async (client) => {
      for (const [index, [actor, stream, make]] of steps.entries()) {
        await forge(pool, stream, (state) => [make(state)], actor);
        // As if time had passed: an attacker who waits is found by what is missing, not by the clock.
        if (index < steps.length - 1 && waitMs > 0) await age(client, waitMs);
      }
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.filter(({ check }) => check === 'operators').map((one) => one.message);
    },
  );

/** Moves the times of all events back. This breaks the chain, which is another check's. */
async function age(client: pg.PoolClient, ms: number): Promise<void> {
  const { rows } = await client.query<{ position: number; body: string }>(
    'select position, body from events',
  );
  for (const { position, body } of rows) {
    const moved = body.replace(
      /"time":"([^"]+)"/,
      (_all, time: string) => `"time":"${new Date(Date.parse(time) - ms).toISOString()}"`,
    );
    await client.query('update events set body = $2 where position = $1', [position, moved]);
  }
}

const looser = (config: Config, minor = 900_000_000_000_000n): Config => ({
  ...config,
  adjust: { ...config.adjust, singleOperatorMaxTokenMinor: minor },
});
const changed =
  (options: { readonly proposal?: object; readonly minor?: bigint } = {}) =>
  ({ config }: ConfigState): LedgerEvent => {
    const { proposal, minor } = options;
    const data = { before: config, after: looser(config as Config, minor), reason };
    return {
      type: 'ConfigChanged',
      data: { ...data, ...(proposal && { proposal }) },
    };
  };
const proposedBy =
  (by: string) =>
  ({ config }: ConfigState): LedgerEvent => ({
    type: 'ConfigChangeProposed',
    data: { changes: changedValues(config, looser(config as Config)), reason, by },
  });
const config = (actor: string, make: (state: ConfigState) => LedgerEvent): Step => [
  ...([actor, CONFIG_STREAM, make as never] as const),
];
const roles = (actor: string, make: (state: OperatorsState) => LedgerEvent): Step => [
  ...([actor, OPERATORS_STREAM, make as never] as const),
];
/** The proposal is the next event of its stream: the first configuration, or three operators with their sign-ins, come before it. */
const IN_CONFIG = 2;
const IN_ROLES = 7;
const confirmed = (number: number, by: string) => ({ proposal: { number, by, reason } });
const WAIT = 10_000;

it('finds nothing when a second admin confirmed after the wait', async () => {
  const steps = [config(ann, proposedBy(ann)), config(bob, changed(confirmed(IN_CONFIG, ann)))];
  expect(await faultsOf(steps, WAIT)).toEqual([]);
});

const ALONE = 'the configuration is loosened by';
it.each<readonly [string, readonly Step[], number, string]>([
  ['a limit that one admin raised', [config(ann, changed())], 0, `${ALONE} ${ann} alone`],
  ['one that a shell command raised', [config(SHELL, changed())], 0, `${ALONE} ${SHELL} alone`],
  [
    'one that was never proposed',
    [config(bob, changed(confirmed(IN_CONFIG, ann)))],
    0,
    'the confirmed change was not proposed',
  ],
  [
    'one that waited too short',
    [config(ann, proposedBy(ann)), config(bob, changed(confirmed(IN_CONFIG, ann)))],
    WAIT / 2,
    `the wait is ${WAIT / 1000} s`,
  ],
  [
    'one that its proposer confirmed',
    [config(ann, proposedBy(ann)), config(ann, changed(confirmed(IN_CONFIG, ann)))],
    WAIT,
    'it needs 2 people and has 1',
  ],
  [
    'one that a shell command proposed and one admin confirmed',
    [config(SHELL, proposedBy(SHELL)), config(bob, changed(confirmed(IN_CONFIG, SHELL)))],
    WAIT,
    'it needs 2 people and has 1',
  ],
  [
    'one that an operator confirmed',
    [config(ann, proposedBy(ann)), config(carl, changed(confirmed(IN_CONFIG, ann)))],
    WAIT,
    'it needs 2 people and has 1',
  ],
  [
    'a different one than was proposed',
    [
      config(ann, proposedBy(ann)),
      config(bob, changed({ ...confirmed(IN_CONFIG, ann), minor: 5_000_000_000_000_000n })),
    ],
    WAIT,
    'the confirmed change differs from the proposal',
  ],
  [
    'one that was withdrawn before',
    [
      config(ann, proposedBy(ann)),
      config(carl, () => ({
        type: 'ConfigChangeWithdrawn',
        data: { proposal: IN_CONFIG, by: carl, reason },
      })),
      config(bob, changed(confirmed(IN_CONFIG, ann))),
    ],
    WAIT,
    'the confirmed change was not proposed',
  ],
  [
    "a proposal in another operator's name",
    [config(ann, proposedBy(bob))],
    0,
    "it is proposed in another operator's name",
  ],
  [
    'a proposal without the role',
    [config(carl, proposedBy(carl))],
    0,
    `ConfigChangeProposed by ${carl}, whose role does not allow it`,
  ],
])('finds %s', async (_what, steps, waitMs, fault) => {
  expect(await faultsOf(steps, waitMs)).toContainEqual(expect.stringContaining(fault));
});

const eve = { operator: EVE, roleBefore: null, roleAfter: 'admin', reason };
const added = (proposal?: object) => (): LedgerEvent => ({
  type: 'OperatorAdded',
  data: { ...eve, ...proposal },
});
const requested = (by: string) => (): LedgerEvent => ({
  type: 'RoleProposed',
  data: { ...eve, by },
});

it.each<readonly [string, readonly Step[], number, string]>([
  [
    'a third admin by the shell',
    [roles(SHELL, added())],
    0,
    `${EVE} is made admin by ${SHELL} alone`,
  ],
  ['an admin by one admin', [roles(ann, added())], 0, `${EVE} is made admin by ${ann} alone`],
  [
    'an operator raised by one admin',
    [
      roles(ann, () => ({
        type: 'OperatorRoleChanged',
        data: { operator: CARL, roleBefore: 'operator', roleAfter: 'admin', reason },
      })),
    ],
    0,
    `${CARL} is made admin by ${ann} alone`,
  ],
  [
    'an admin by the shell and one admin of two',
    [roles(SHELL, requested(SHELL)), roles(bob, added(confirmed(IN_ROLES, SHELL)))],
    WAIT,
    'it needs 2 people and has 1',
  ],
  [
    'an admin before the wait was over',
    [roles(ann, requested(ann)), roles(bob, added(confirmed(IN_ROLES, ann)))],
    0,
    `the wait is ${WAIT / 1000} s`,
  ],
  [
    'two approvals by one operator',
    [
      roles(ann, requested(ann)),
      roles(ann, () => ({ type: 'RoleApproved', data: { proposal: IN_ROLES, by: ann, reason } })),
    ],
    0,
    `RoleApproved twice by ${ann}`,
  ],
])('finds %s', async (_what, steps, waitMs, fault) => {
  expect(await faultsOf(steps, waitMs)).toContainEqual(expect.stringContaining(fault));
});
