import { readHead } from '@reelbook/event-store/read-log';
import {
  type LedgerRestored,
  RESTORED_COMMAND,
  UNRECORDED_MAX,
} from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { addOperator, signInOperator } from '@reelbook/testing/operators';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from './audit.ts';
import { forge, tamperWith } from './tamper.ts';

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

/** What the audit finds after these events; each `data` has the loss as well. */
async function faultsOf(change: Partial<LedgerRestored['data']>, ...steps: readonly Step[]) {
  const head = await readHead(pool);
  const { position, hash } = head;
  const loss = {
    position,
    hash,
    lostTo: position + 3,
    payments: [],
    anchors: [],
    reason,
    ...change,
  };
  const add = async () => {
    for (const [actor, type, data] of steps) {
      const own = type.startsWith('LedgerRestoreA') ? { reason, ...data } : { ...loss, ...data };
      await forge(pool, OPERATORS_STREAM, () => [{ type, data: own }], actor);
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

test('with two admins it is proposed by the command and wanted by both', async () => {
  for (const operator of [ANN, BOB]) {
    await addOperator(pool, operator, 'admin');
    await signInOperator(pool, operator);
  }
  const proposed: Step = [RESTORED_COMMAND, 'LedgerRestoreProposed', { by: RESTORED_COMMAND }];
  const { rows } = await pool.query<{ version: number }>(
    'select version::int from streams where name = $1',
    [OPERATORS_STREAM],
  );
  const number = (rows[0]?.version ?? 0) + 1;
  const approved = (by: string): Step => [by, 'LedgerRestoreApproved', { proposal: number, by }];
  const proposal = { number, by: RESTORED_COMMAND, reason };
  const restored = (by: string, change: object = {}): Step => [
    by,
    'LedgerRestored',
    { epoch: 1, proposal, ...change },
  ];
  expect(await faultsOf({}, proposed, approved(ann), restored(bob))).toEqual([]);
  expect(await faultsOf({}, [RESTORED_COMMAND, 'LedgerRestored', { epoch: 1 }])).toEqual([
    `operators: the ledger is restored by ${RESTORED_COMMAND} alone`,
  ]);
  expect(await faultsOf({}, proposed, restored(ann))).toEqual([
    'operators: it needs 2 people and has 1',
  ]);
  expect(await faultsOf({}, proposed, approved(ann), restored(ann))).toEqual([
    'operators: it needs 2 people and has 1',
  ]);
  const more = { payments: [{ signature: 'x', withdrawal: 'x-w1', netMinor: 1n, to: 'x' }] };
  expect(await faultsOf({}, proposed, approved(ann), restored(bob, more))).toEqual([
    'operators: the confirmed change differs from the proposal',
  ]);
  expect(await faultsOf({}, restored(bob))).toEqual([
    'operators: the confirmed change was not proposed',
  ]);
  const epochs = [restored(bob), proposed, approved(ann)] as const;
  expect(await faultsOf({}, proposed, approved(ann), ...epochs)).toEqual([
    'operators: LedgerRestoreApproved of what was not proposed',
  ]);
});
