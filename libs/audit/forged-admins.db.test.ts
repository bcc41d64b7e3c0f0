import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { foldedState } from '@reelbook/event-store/read-stream';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { Config } from '@reelbook/ledger/config/config';
import { type ConfigState, configDecider } from '@reelbook/ledger/config/decide';
import { changedValues } from '@reelbook/ledger/config/edit';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { fingerprintOf } from '@reelbook/ledger/fingerprint';
import type { OperatorsState } from '@reelbook/ledger/operators/state';
import { APPROVALS } from '@reelbook/ledger/proposals';
import { CONFIG_STREAM, OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';

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
let configured: Config;
/** Before the step that is forged. */
let head = 0;
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
  configured = (await foldedState(pool, configDecider, CONFIG_STREAM)).state.config as Config;
});
afterAll(() => database.drop());

type Step = readonly [actor: string, stream: string, make: (state: never) => LedgerEvent];

/** The audit's findings about operators, and about the form of events, after these steps. */
const faultsOf = (steps: readonly Step[]) =>
  tamperWith(
    database.pool('owner'),
    async (client) => {
      for (const [actor, stream, make] of steps) {
        const { rows } = await client.query<{ position: number }>(
          'select position from ledger_head',
        );
        head = rows[0]?.position ?? 0;
        await forge(pool, stream, (state) => [make(state)], actor);
      }
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      const kept = findings.kept.filter(({ check }) => ['operators', 'columns'].includes(check));
      return kept.map((one) => one.message);
    },
  );

const looser = (config: Config, minor = 900_000_000_000_000n): Config => ({
  ...config,
  adjust: { ...config.adjust, singleOperatorMaxTokenMinor: minor },
});
const config = (actor: string, make: (state: ConfigState) => LedgerEvent): Step => [
  ...([actor, CONFIG_STREAM, make as never] as const),
];
const roles = (actor: string, make: (state: OperatorsState) => LedgerEvent): Step => [
  ...([actor, OPERATORS_STREAM, make as never] as const),
];
/** The proposal is the next event of its stream: three operators with their sign-ins come before it. */
const NUMBER = 7;
/** Of play money. */
const WAIT_MS = 10_000;
/** As if it had waited: within the tolerance of a decision that was under way. */
const PAST_MS = 12_000;
const agreed = (by: string, ...approvals: readonly string[]) => ({ number: NUMBER, by, approvals });

const changed =
  (proposal?: object, minor?: bigint) =>
  ({ config }: ConfigState): LedgerEvent => {
    const data = { before: config, after: looser(config as Config, minor), reason };
    return { type: 'ConfigChanged', data: { ...data, ...(proposal && { proposal }) } };
  };
const effectOf = (after: Config) =>
  ({ type: 'ConfigChanged', data: { before: configured, after, reason } }) as const;
const proposed =
  (by: string, part: object = {}, agoMs = PAST_MS) =>
  (): LedgerEvent => ({
    type: 'Proposed',
    data: {
      ...{ kind: 'configuration', target: CONFIG_STREAM, by, reason, number: NUMBER, schema: 1 },
      command: { changes: changedValues(configured, looser(configured)) },
      fingerprint: fingerprintOf(CONFIG_STREAM, [effectOf(looser(configured))]),
      ...{ care: 'wait', waitMs: WAIT_MS, atMs: Date.now() - agoMs, ...part },
    },
  });
const act =
  (type: 'Approved' | 'Withdrawn', by: string, part: object = { isLast: true }) =>
  (): LedgerEvent => ({
    type,
    data: { proposal: NUMBER, by, reason, ...(type === 'Approved' && part) },
  });
const executed = (position?: number) => (): LedgerEvent => ({
  type: 'Executed',
  data: { proposal: NUMBER, position: position ?? head },
});
const refused = (): LedgerEvent => ({
  type: 'Refused',
  data: { proposal: NUMBER, rejected: 'proposal-outdated', detail: {} },
});
const PROPOSED = roles(ann, proposed(ann));
const APPROVED = roles(bob, act('Approved', bob));
const CHANGED = config(APPROVALS, changed(agreed(ann, bob)));

const eve = { operator: EVE, roleBefore: null, roleAfter: 'admin' } as const;
const added = (proposal?: object) => (): LedgerEvent => ({
  type: 'OperatorAdded',
  data: { ...eve, reason, ...(proposal && { proposal }) },
});
const fingerprint = fingerprintOf(OPERATORS_STREAM, [
  { type: 'OperatorAdded', data: { ...eve, reason } },
]);
const requested = (by: string, part: object = {}, agoMs = PAST_MS) => {
  const role = { kind: 'role', target: OPERATORS_STREAM, command: eve, fingerprint, ...part };
  return proposed(by, role, agoMs);
};

it('finds nothing when a second admin approved after the wait, executed or refused', async () => {
  const done = [PROPOSED, APPROVED, CHANGED, roles(APPROVALS, executed())];
  expect(await faultsOf(done)).toEqual([]);
  expect(await faultsOf([PROPOSED, APPROVED, roles(APPROVALS, refused)])).toEqual([]);
  expect(await faultsOf([PROPOSED, APPROVED, CHANGED])).toEqual([]);
  const other = roles(ann, requested(ann, { fingerprint: 'of another event' }));
  expect(await faultsOf([other, APPROVED, roles(APPROVALS, refused)])).toEqual([]);
  // By an older build, and by a later one.
  const before = [roles(ann, proposed(ann, { schema: 0 })), APPROVED, CHANGED];
  expect(await faultsOf([...before, roles(APPROVALS, executed())])).toEqual([]);
  expect(await faultsOf([roles(ann, proposed(ann, { schema: 2 }))])).toEqual([
    'Proposed differs from what its command gives',
  ]);
});

const ALONE = 'the configuration is loosened by';
it.each<readonly [string, readonly Step[], string]>([
  ['a limit that one admin raised', [config(ann, changed())], `${ALONE} ${ann} alone`],
  ['one that a shell command raised', [config(SHELL, changed())], `${ALONE} ${SHELL} alone`],
  ['one of no proposal', [config(APPROVALS, changed())], 'ConfigChanged of no proposal'],
  ['one that was never proposed', [CHANGED], 'should not have been executed: no-such-proposal'],
  [
    'one that was not approved',
    [PROPOSED, CHANGED],
    'should not have been executed: proposal-not-approved',
  ],
  [
    'one that waited too short',
    [roles(ann, proposed(ann, {}, -1_000)), APPROVED, CHANGED],
    'Approved should have been refused: proposal-waits',
  ],
  ['one of another time', [roles(ann, proposed(ann, {}, 60_000))], 'it has another time'],
  [
    'one as a restored value',
    [roles(ann, proposed(ann, { care: 'restore', waitMs: 0 }))],
    'Proposed differs from what its command gives',
  ],
  [
    'one that its proposer approved',
    [PROPOSED, roles(ann, act('Approved', ann))],
    'Approved should have been refused: proposal-own',
  ],
  [
    'one that a shell command proposed and one admin approved',
    [roles(SHELL, proposed(SHELL)), APPROVED],
    'Approved differs from what its command gives',
  ],
  [
    'one that an operator approved',
    [PROPOSED, roles(carl, act('Approved', carl))],
    'Approved should have been refused: proposal-needs-role',
  ],
  [
    'one that was approved after a revocation',
    [
      PROPOSED,
      roles(bob, () => ({
        type: 'OperatorRevoked',
        data: { operator: ANN, roleBefore: 'admin', roleAfter: null, reason },
      })),
      APPROVED,
    ],
    'Approved differs from what its command gives',
  ],
  [
    'one that was executed after a revocation',
    [
      ...[PROPOSED, APPROVED],
      roles(bob, () => ({
        type: 'OperatorRevoked',
        data: { operator: ANN, roleBefore: 'admin', roleAfter: null, reason },
      })),
      CHANGED,
    ],
    'should not have been executed: proposal-revoked',
  ],
  [
    'a different one than was proposed',
    [PROPOSED, APPROVED, config(APPROVALS, changed(agreed(ann, bob), 5_000_000_000_000_000n))],
    `ConfigChanged differs from proposal ${NUMBER}`,
  ],
  [
    'one with other people',
    [PROPOSED, APPROVED, config(APPROVALS, changed(agreed(ann, carl)))],
    `ConfigChanged differs from proposal ${NUMBER}`,
  ],
  [
    'one that the approver executed',
    [PROPOSED, APPROVED, config(bob, changed(agreed(ann, bob)))],
    `ConfigChanged of proposal ${NUMBER} by ${bob}`,
  ],
  [
    'one that was executed twice',
    [PROPOSED, APPROVED, CHANGED, config(APPROVALS, changed(agreed(ann, bob), 1n)), CHANGED],
    `proposal ${NUMBER} was executed before`,
  ],
  [
    'one that was withdrawn before',
    [PROPOSED, roles(carl, act('Withdrawn', carl)), CHANGED],
    'should not have been executed: no-such-proposal',
  ],
  [
    'one that was withdrawn after its approval',
    [PROPOSED, APPROVED, roles(carl, act('Withdrawn', carl))],
    'Withdrawn should have been refused: proposal-approved',
  ],
  [
    'one that was refused and executed',
    [PROPOSED, APPROVED, CHANGED, roles(APPROVALS, refused)],
    'what it refused was executed',
  ],
  [
    'one that was refused and possible',
    [roles(ann, requested(ann)), APPROVED, roles(APPROVALS, refused)],
    'what it refused was possible',
  ],
  [
    'one that ended and was not executed',
    [PROPOSED, APPROVED, roles(APPROVALS, executed())],
    'what it ended was not executed',
  ],
  [
    "a proposal in another operator's name",
    [roles(ann, proposed(bob))],
    "it is proposed in another operator's name",
  ],
  [
    'a proposal without the role',
    [roles(carl, proposed(carl))],
    `Proposed by ${carl}, whose role does not allow it`,
  ],
])('finds %s', async (_what, steps, fault) => {
  expect(await faultsOf(steps)).toContainEqual(expect.stringContaining(fault));
});

it.each<readonly [string, readonly Step[], string]>([
  ['a third admin by the shell', [roles(SHELL, added())], `${EVE} is made admin by ${SHELL} alone`],
  ['an admin by one admin', [roles(ann, added())], `${EVE} is made admin by ${ann} alone`],
  [
    'an operator raised by one admin',
    [
      roles(ann, () => ({
        type: 'OperatorRoleChanged',
        data: { operator: CARL, roleBefore: 'operator', roleAfter: 'admin', reason },
      })),
    ],
    `${CARL} is made admin by ${ann} alone`,
  ],
  [
    'an admin by the shell and one admin of two',
    [roles(SHELL, requested(SHELL)), roles(bob, act('Approved', bob))],
    'Approved differs from what its command gives',
  ],
  [
    'an admin before the wait was over',
    [roles(ann, requested(ann, {}, -1_000)), APPROVED],
    'Approved should have been refused: proposal-waits',
  ],
  [
    'two approvals by one operator',
    [
      roles(SHELL, requested(SHELL)),
      roles(ann, act('Approved', ann, { isLast: false })),
      roles(ann, act('Approved', ann)),
    ],
    'Approved should have been refused: proposal-own',
  ],
  [
    'another role than was approved',
    [
      ...[roles(ann, requested(ann, { command: { ...eve, roleAfter: 'viewer' } })), APPROVED],
      roles(APPROVALS, added(agreed(ann, bob))),
    ],
    'OperatorAdded differs from proposal',
  ],
])('finds %s', async (_what, steps, fault) => {
  expect(await faultsOf(steps)).toContainEqual(expect.stringContaining(fault));
});

// Of a proposal or not: what only looks like people who agreed is neither.
it.each([7, 'x', true, false, null, {}, []])(
  'finds an effect with the proposal %j',
  async (one) => {
    const proposal = one as object;
    const raised = (): LedgerEvent => ({
      type: 'OperatorRoleChanged',
      data: { operator: CARL, roleBefore: 'operator', roleAfter: 'admin', reason, proposal },
    });
    const alone: readonly Step[] = [
      config('system:config-command', ({ config: before }) => ({
        type: 'ConfigChanged',
        data: { before, after: looser(before as Config), reason, proposal },
      })),
      roles(SHELL, () => ({ type: 'OperatorAdded', data: { ...eve, reason, proposal } })),
      roles(ann, raised),
    ];
    for (const step of alone) {
      expect(await faultsOf([step])).toContainEqual(
        expect.stringMatching(/^it is no \w+: \/proposal must /),
      );
    }
  },
);

it('finds values that an approved change removes, or that are only texts of the present ones', async () => {
  const { withdraw, games, ...others } = looser(configured);
  const { dayMaxTokenMinor: _, ...unlimited } = withdraw;
  const form = 'it is no ConfigChanged: /after';
  const noBoolean = `${form}/withdraw/enabled must be boolean`;
  const forged: readonly (readonly [object, string])[] = [
    [
      { ...others, games, withdraw: unlimited },
      `${form}/withdraw must have required properties dayMaxTokenMinor`,
    ],
    [{ ...others, games: {}, withdraw }, 'its values are not those of a change'],
    [{ ...others, games, withdraw: { ...withdraw, enabled: 'false' } }, noBoolean],
  ];
  for (const [after, fault] of forged) {
    const step = config(APPROVALS, ({ config: before }) => ({
      type: 'ConfigChanged',
      data: { before, after, reason, proposal: agreed(ann, bob) },
    }));
    expect(await faultsOf([PROPOSED, APPROVED, step])).toContain(fault);
  }
  // By one person: on again, although its text is that of off.
  const off = (enabled: unknown): Step =>
    config(ann, ({ config: before }) => ({
      type: 'ConfigChanged',
      data: { before, after: { ...before, exchange: { ...before?.exchange, enabled } }, reason },
    }));
  expect(await faultsOf([off(false)])).toEqual([]);
  expect(await faultsOf([off(false), off('false')])).toEqual([
    noBoolean.replace('withdraw', 'exchange'),
  ]);
});

it('accepts a switch that two turn on without the wait only after one person turned it off', async () => {
  const off = { ...configured, exchange: { ...configured.exchange, enabled: false } };
  const turn = (before: Config, after: Config, part: object = {}): LedgerEvent => ({
    type: 'ConfigChanged',
    data: { before, after, reason, ...part },
  });
  const proposal = (before: Config, after: Config, part: object) => ({
    command: { changes: changedValues(before, after) },
    fingerprint: fingerprintOf(CONFIG_STREAM, [turn(before, after) as never]),
    ...part,
  });
  const on = (care: string, waitMs = 0, number = NUMBER) =>
    roles(carl, proposed(carl, proposal(off, configured, { care, waitMs, number })));
  const alone = config(ann, () => turn(configured, off));
  expect(await faultsOf([alone, on('restore')])).toEqual([]);
  const differs = ['Proposed differs from what its command gives'];
  expect(await faultsOf([alone, on('wait', WAIT_MS)])).toEqual(differs);
  const byTwo = [
    roles(ann, proposed(ann, proposal(configured, off, { care: 'two', waitMs: 0 }))),
    ...[APPROVED, config(APPROVALS, () => turn(configured, off, { proposal: agreed(ann, bob) }))],
    roles(APPROVALS, executed()),
  ];
  const next = NUMBER + byTwo.length - 1;
  expect(await faultsOf([...byTwo, on('wait', WAIT_MS, next)])).toEqual([]);
  for (const care of ['restore', 'two']) {
    expect(await faultsOf([...byTwo, on(care, 0, next)])).toEqual(differs);
  }
  const early = config(APPROVALS, () => turn(off, configured, { proposal: agreed(carl, bob) }));
  expect(await faultsOf([alone, on('restore'), APPROVED, early])).toEqual([]);
});
