import { readHead } from '@reelbook/event-store/read-log';
import { fingerprintOf } from '@reelbook/ledger/fingerprint';
import {
  type LedgerRestored,
  RESTORED_COMMAND,
  UNRECORDED_MAX,
} from '@reelbook/ledger/operators/restores';
import { APPROVALS } from '@reelbook/ledger/proposals';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from './audit.ts';

const [ANN, BOB] = [createWallet(1).address, createWallet(2).address];
const [ann, bob] = [`operator:${ANN}`, `operator:${BOB}`];
const reason = 'a test';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  const history = createHistory();
  history.register(walletOf(1), 100n);
  await history.appendTo(pool);
});
afterAll(() => database.drop());

type Step = readonly [actor: string, type: string, data: object];
type Loss = LedgerRestored['data'];

/** What the audit finds after these events; each `data` has the loss as well. */
async function faultsOf(change: Partial<Loss>, ...steps: readonly Step[]) {
  const head = await readHead(pool);
  const { position, hash } = head;
  const loss = {
    position,
    hash,
    lostTo: position + 3,
    payments: [],
    anchors: [],
    ...change,
  };
  const proposalOf = (command: object) => ({
    command,
    fingerprint: fingerprintOf(OPERATORS_STREAM, [
      { type: 'LedgerRestored', data: { ...loss, ...command, epoch: 1, reason } },
    ]),
  });
  const add = async () => {
    for (const [actor, type, data] of steps) {
      const own = type === 'LedgerRestored' ? { ...loss, reason, ...data } : { reason, ...data };
      const { command } = own as { command?: object };
      const proposed = { ...own, ...(command && proposalOf({ ...loss, ...command })) };
      await forge(pool, OPERATORS_STREAM, () => [{ type, data: proposed }], actor);
    }
  };
  const look = async () =>
    (await auditLedger({ pool, vault: null, onProgress: () => {} })).findings.kept;
  const found = await tamperWith(database.pool('owner'), add, look);
  const added = found.filter((one) => (one.position ?? 0) > position);
  return added.map(({ check, message }) => `${check}: ${message}`);
}

test('of a ledger without two admins, the restore of the command is accepted, and no other', async () => {
  const restored = (change: object, actor = RESTORED_COMMAND) =>
    faultsOf(change, [actor, 'LedgerRestored', { epoch: 1, ...change }]);
  expect(await restored({})).toEqual([]);
  expect(await restored({}, 'system:auditor')).toEqual([
    'actors: LedgerRestored by system:auditor, which may not write it',
  ]);
  expect(await restored({ epoch: 2 })).toEqual(['operators: restore 1 is recorded as epoch 2']);
  expect(await restored({ lostTo: 1 })).toEqual([
    'operators: the restore lost events before its head',
  ]);
  const { position } = await readHead(pool);
  const elsewhere = (at: number) =>
    `operators: the ledger has another event at #${at} than it went back to`;
  expect(await restored({ hash: 'ab'.repeat(32) })).toEqual([elsewhere(position)]);
  expect(await restored({ position: position - 1 })).toEqual([elsewhere(position - 1)]);
  const early = { position: position - UNRECORDED_MAX };
  expect(await restored(early)).toContain(
    `operators: ${UNRECORDED_MAX + 1} events follow the head that the ledger went back to`,
  );
});

test('with two admins it is proposed by the command and approved by both', async () => {
  for (const operator of [ANN, BOB]) {
    await addOperator(pool, operator, 'admin');
    await signInOperator(pool, operator);
  }
  const { rows } = await pool.query<{ version: number }>(
    'select version::int from streams where name = $1',
    [OPERATORS_STREAM],
  );
  const number = (rows[0]?.version ?? 0) + 1;
  const proposed: Step = [
    RESTORED_COMMAND,
    'Proposed',
    {
      ...{ kind: 'restore', target: OPERATORS_STREAM, by: RESTORED_COMMAND, number, command: {} },
      ...{ schema: 1, care: 'two', waitMs: 0, atMs: Date.now() },
    },
  ];
  const approved = (by: string, isLast: boolean): Step => [
    by,
    'Approved',
    { proposal: number, by, isLast },
  ];
  const both = [approved(ann, false), approved(bob, true)];
  const restored = (change: object = {}): Step => [
    APPROVALS,
    'LedgerRestored',
    { epoch: 1, proposal: { number, by: RESTORED_COMMAND, approvals: [ann, bob] }, ...change },
  ];
  const executed: Step = [APPROVALS, 'Executed', { proposal: number }];
  expect(await faultsOf({}, proposed, ...both, restored(), executed)).toEqual([]);
  expect(await faultsOf({}, [RESTORED_COMMAND, 'LedgerRestored', { epoch: 1 }])).toEqual([
    `operators: the ledger is restored by ${RESTORED_COMMAND} alone`,
  ]);
  const numbered: Step = [RESTORED_COMMAND, 'LedgerRestored', { epoch: 1, proposal: number }];
  expect(await faultsOf({}, numbered)).toContainEqual(
    expect.stringContaining('it is no LedgerRestored: /proposal must be object'),
  );
  const unexecuted = (why: string) =>
    `operators: proposal ${number} should not have been executed: ${why}`;
  expect(await faultsOf({}, proposed, restored())).toEqual([unexecuted('proposal-not-approved')]);
  expect(await faultsOf({}, restored())).toEqual([unexecuted('no-such-proposal')]);
  expect(await faultsOf({}, proposed, approved(ann, true))).toEqual([
    'operators: Approved differs from what its command gives',
  ]);
  expect(await faultsOf({}, proposed, approved(ann, false), approved(ann, true))).toEqual([
    'operators: Approved should have been refused: proposal-own',
  ]);
  const differs = `operators: LedgerRestored differs from proposal ${number}`;
  const more = { payments: [{ signature: 'x', withdrawal: 'x-w1', netMinor: 1n, to: 'x' }] };
  expect(await faultsOf({}, proposed, ...both, restored(more))).toEqual([differs]);
  expect(await faultsOf({}, proposed, ...both, restored({ lostTo: number + 900 }))).toEqual([
    differs,
  ]);
  const { position } = await readHead(pool);
  expect(await faultsOf({ position: position - UNRECORDED_MAX }, proposed)).toEqual([
    `operators: ${UNRECORDED_MAX + 1} events follow the head that the ledger went back to`,
  ]);
});
