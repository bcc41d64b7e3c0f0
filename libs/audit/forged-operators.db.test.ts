import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { nextNotice } from '@reelbook/ledger/player/notices';
import type { BalanceAdjusted } from '@reelbook/ledger/player/standing';
import { balancesOf, type PlayerState } from '@reelbook/ledger/player/state';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { addOperator } from '@reelbook/testing/operators';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { auditLedger } from './audit.ts';
import { forge, tamperWith } from './tamper.ts';

const DAY_MS = 24 * 3_600_000;
const [ANN, VERA] = [createWallet(1).address, createWallet(2).address];
const [ann, vera] = [`operator:${ANN}`, `operator:${VERA}`];
const reason = 'as agreed';

let database: TestDatabase;
let pool: pg.Pool;
let player: string;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  player = await players.register();
  await executor.close();
  await addOperator(pool, ANN, 'operator');
  await addOperator(pool, VERA, 'viewer');
});
afterAll(() => database.drop());

/** What the audit says of operators in a ledger with one more command in it. */
const faultsOf = (
  stream: string,
  actor: string,
  make: (state: PlayerState) => readonly LedgerEvent[],
  before: () => Promise<unknown> = async () => {},
) =>
  tamperWith(
    database.pool('owner'),
    async () => {
      await before();
      await forge(pool, stream, make as never, actor);
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.filter(({ check }) => check === 'operators').map((one) => one.message);
    },
  );

function adjusted(state: PlayerState, o: Partial<BalanceAdjusted['data']> = {}): LedgerEvent {
  const { deltaMinor = 100n } = o;
  const before = balancesOf(state);
  const data = {
    ...{ adjustment: `${state.publicId}-a1`, asset: 'points', deltaMinor, by: ann, reason },
    ...{ approvedBy: null, approvalReason: null, day: Math.floor(Date.now() / DAY_MS) },
    ...{ before, after: { ...before, pointsMinor: before.pointsMinor + deltaMinor } },
    notice: nextNotice(state),
  };
  return { type: 'BalanceAdjusted', data: { ...data, ...o } };
}

function proposed(state: PlayerState): LedgerEvent {
  const { adjustment, asset, deltaMinor, by } = adjusted(state).data as BalanceAdjusted['data'];
  return { type: 'AdjustmentProposed', data: { adjustment, asset, deltaMinor, by, reason } };
}

const suspended = (state: PlayerState, by: string, why = reason): LedgerEvent => ({
  type: 'PlayerSuspended',
  data: {
    ...{ statusBefore: 'active', statusAfter: 'suspended', by, reason: why },
    notice: nextNotice(state),
  },
});

it('finds nothing where an operator did what one may', async () => {
  const make = (state: PlayerState) => [adjusted(state)];
  const count = () => forge(pool, OPERATORS_STREAM, () => [used()], ann);
  expect(await faultsOf(playerStream(player), ann, make, count)).toEqual([]);
  const uncounted = ['a balance adjusted alone that was not counted'];
  expect(await faultsOf(playerStream(player), ann, make)).toEqual(uncounted);
});

it.each<readonly [string, string, string, (state: PlayerState) => readonly LedgerEvent[]]>([
  [
    'by nobody',
    'system:thief',
    'BalanceAdjusted by system:thief, who is no operator',
    (s) => [adjusted(s, { by: 'system:thief' })],
  ],
  [
    'by a viewer',
    vera,
    `BalanceAdjusted by ${vera}, whose role did not allow it`,
    (s) => [adjusted(s, { by: vera })],
  ],
  [
    "in another's name",
    ann,
    "a balance is adjusted in another's name",
    (s) => [adjusted(s, { by: vera })],
  ],
  [
    'beyond what one may alone',
    ann,
    'one operator alone adjusted more than one may',
    (s) => [adjusted(s, { deltaMinor: 100_001n })],
  ],
  [
    'on another day',
    ann,
    'it is counted for another day than its own',
    (s) => [adjusted(s, { day: Math.floor(Date.now() / DAY_MS) - 3 })],
  ],
  [
    'on no day',
    ann,
    'it is counted for another day than its own',
    (s) => [adjusted(s, { day: undefined } as never)],
  ],
  [
    'that names nobody who approved what its operator proposed',
    ann,
    "a balance is adjusted in another's name",
    (s) => [proposed(s), adjusted(s, { approvedBy: undefined } as never)],
  ],
  ['for no reason', ann, 'BalanceAdjusted for no reason', (s) => [adjusted(s, { reason: ' ' })]],
  [
    'with other balances before it',
    ann,
    'the balances that it says were before it were not',
    (s) => [adjusted(s, { before: { pointsMinor: 1n, tokenMinor: 0n } })],
  ],
  [
    'as a suspension by a viewer',
    vera,
    `PlayerSuspended by ${vera}, whose role did not allow it`,
    (s) => [suspended(s, vera)],
  ],
  [
    "as a suspension in another's name",
    ann,
    "PlayerSuspended in another's name",
    (s) => [suspended(s, vera)],
  ],
])('finds an adjustment %s', async (_what, actor, fault, make) => {
  expect(await faultsOf(playerStream(player), actor, make)).toContain(fault);
});

it('finds an operator who acts on a wallet of the own', async () => {
  await addOperator(pool, player, 'operator');
  const own = `operator:${player}`;
  const fault = `PlayerSuspended by ${own} on the operator's own wallet`;
  expect(await faultsOf(playerStream(player), own, (s) => [suspended(s, own)])).toContain(fault);
});

it('finds four eyes that are two', async () => {
  const proposed = (state: PlayerState): LedgerEvent => ({
    type: 'AdjustmentProposed',
    data: {
      adjustment: `${state.publicId}-a1`,
      asset: 'points',
      deltaMinor: 500_000n,
      by: ann,
      reason,
    },
  });
  const both = (state: PlayerState) => [
    proposed(state),
    adjusted(state, { deltaMinor: 500_000n, approvedBy: ann, approvalReason: reason }),
  ];
  expect(await faultsOf(playerStream(player), ann, both)).toEqual(['four eyes that are two']);
  const more = (state: PlayerState) => [
    proposed(state),
    adjusted(state, { deltaMinor: 600_000n, approvedBy: vera, approvalReason: reason }),
  ];
  expect(await faultsOf(playerStream(player), vera, more)).toContain(
    'what was approved is not what was proposed',
  );
});

const DAY = Math.floor(Date.now() / DAY_MS);
const NOTHING = { pointsMinor: 0n, tokenMinor: 0n };
const used = (o: object = {}): LedgerEvent => ({
  type: 'AllowanceUsed',
  data: {
    ...{ operator: ANN, player, asset: 'points', deltaMinor: 100n, day: DAY },
    ...{ usedBefore: NOTHING, usedAfter: { ...NOTHING, pointsMinor: 100n } },
    ...o,
  },
});
const standing = { live: 1, stopped: null, rebuilt: null, replaced: null };
const work = { readModel: 'balances', operation: 'rebuild', job: 1 };
const begun = {
  type: 'ReadModelOperationStarted',
  data: { ...work, reason, statusBefore: standing },
};
const ended = (o: object = {}): LedgerEvent => ({
  type: 'ReadModelOperationFinished',
  data: {
    ...{ ...work, outcome: 'done', error: null, statusBefore: standing },
    ...{ statusAfter: { ...standing, rebuilt: 1 }, ...o },
  },
});

it.each<readonly [string, string, string, readonly LedgerEvent[]]>([
  ["another's allowance", vera, "another's allowance is used", [used()]],
  [
    'a count beyond the bound',
    ann,
    'one operator alone adjusted more than one may in a day',
    [used({ deltaMinor: 1_000_001n, usedAfter: { ...NOTHING, pointsMinor: 1_000_001n } })],
  ],
  [
    'a count that forgets what was before',
    ann,
    'what it says was used before was not',
    [used(), used()],
  ],
  [
    'a count that is no sum',
    ann,
    'what it says is used is not the sum',
    [used({ deltaMinor: 7n })],
  ],
  [
    'an allowance of a day to come',
    ann,
    'it is counted for another day than its own',
    [used({ day: DAY + 3 })],
  ],
  [
    'work by one who may not',
    vera,
    `ReadModelOperationStarted by ${vera}, whose role did not allow it`,
    [begun],
  ],
  ['an end of what was not begun', 'system:console', 'an act ends that was not begun', [ended()]],
  [
    "a shell's work by an operator",
    ann,
    `an act from elsewhere by ${ann}`,
    [{ ...begun, data: { ...begun.data, job: 'a-shell' } }],
  ],
  ['an end by another', ann, `the end of an act by ${ann}`, [begun, ended()]],
  [
    'an end that cannot be',
    ann,
    'no rebuild ends like this',
    [begun, ended({ statusAfter: standing })],
  ],
  [
    'a read model ahead of the ledger',
    ann,
    'a read model ahead of the ledger',
    [begun, ended({ statusAfter: { ...standing, rebuilt: 999 } })],
  ],
])('finds %s', async (_what, actor, fault, events) => {
  expect(await faultsOf(OPERATORS_STREAM, actor, () => events)).toContain(fault);
});

it('finds a balance that was adjusted alone and not counted, once anything is', async () => {
  const startOf = (state: PlayerState) => [adjusted(state)];
  const faults = await tamperWith(
    database.pool('owner'),
    async () => {
      await forge(pool, OPERATORS_STREAM, (() => [used({ player: 'another' })]) as never, ann);
      await forge(pool, playerStream(player), startOf as never, ann);
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.map(({ message }) => message);
    },
  );
  expect(faults).toContain('a balance adjusted alone that was not counted');
});

it('finds a role that no admin lowered, and one that was not there before', async () => {
  const lowered = (operator: string, roleBefore: string | null) => () => [
    {
      type: 'OperatorRoleChanged',
      data: { operator, roleBefore, roleAfter: 'viewer', reason },
    },
  ];
  expect(await faultsOf(OPERATORS_STREAM, ann, lowered(ANN, 'operator'))).toEqual([
    `OperatorRoleChanged by ${ann}, whose role did not allow it`,
  ]);
  expect(
    await faultsOf(OPERATORS_STREAM, 'system:operator-command', lowered(ANN, 'auditor')),
  ).toEqual(['the role that it says was before it was not']);
});
