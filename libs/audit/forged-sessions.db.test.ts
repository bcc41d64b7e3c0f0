import { HOUR_MS, MINUTE_MS } from '@reelbook/ledger/calendar';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { SESSION_MS } from '@reelbook/ledger/operators/state';
import { OPERATORS_STREAM, playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { type FakeClock, openFakeClock } from '@reelbook/testing/fake-clock';
import { addOperator } from '@reelbook/testing/operators';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { UNDER_WAY_MAX_MS } from './approvals.ts';
import { auditLedger } from './audit.ts';

/** Operators act only while they are signed in: the audit compares the events alone. */
const [ANN, BOB] = [1, 2].map((n) => createWallet(n).address) as [string, string];
const [ann, bob] = [`operator:${ANN}`, `operator:${BOB}`];
const SESSION = 'a'.repeat(64);
const reason = 'as agreed';
const player = playerStream(createWallet(3).address);

let database: TestDatabase;
let clock: FakeClock;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createDatabase();
  clock = await openFakeClock(database);
  pool = database.pool('app');
  await addOperator(pool, ANN, 'operator');
  await addOperator(pool, BOB, 'admin');
});
afterAll(() => database.drop());

type Step = number | (() => Promise<unknown>);
const write = (actor: string, stream: string, type: string, data: object) => () =>
  forge(pool, stream, () => [{ type, data } as LedgerEvent], actor);
const signIn = (operator = ANN, actor = ann) =>
  write(actor, OPERATORS_STREAM, 'OperatorSignedIn', {
    operator,
    role: operator === ANN ? 'operator' : 'admin',
    session: SESSION,
    method: 'wallet',
    atMs: 0,
  });
const signOut = (session = SESSION) =>
  write(ann, OPERATORS_STREAM, 'OperatorSignedOut', { operator: ANN, session });
const note = write(ann, player, 'PlayerNoted', { by: ann, note: reason });
const revoke = write('system:operator-command', OPERATORS_STREAM, 'OperatorRevoked', {
  operator: ANN,
  roleBefore: 'operator',
  roleAfter: null,
  reason,
});
const addAgain = write('system:operator-command', OPERATORS_STREAM, 'OperatorAdded', {
  operator: ANN,
  roleBefore: null,
  roleAfter: 'operator',
  reason,
});
/** The findings about operators after these steps; a number is a time to wait in ms. */
const faultsOf = (...steps: readonly Step[]) =>
  tamperWith(
    database.pool('owner'),
    async () => {
      for (const step of steps) {
        if (typeof step === 'number') await clock.forward(step);
        else await step();
      }
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
      return findings.kept.filter(({ check }) => check === 'operators').map((one) => one.message);
    },
  );
const NOT = 'which was not signed in';
const noted = `PlayerNoted by ${ann}, ${NOT}`;
const GRACE_MS = UNDER_WAY_MAX_MS;
const named = write(ann, OPERATORS_STREAM, 'OperatorNamed', {
  operator: ANN,
  nameBefore: null,
  nameAfter: 'Ann',
  reason,
});
const accept = write(ann, OPERATORS_STREAM, 'FindingAcceptanceProposed', {
  finding: 'f'.repeat(64),
  subject: 'ledger',
  by: ann,
  reason,
});

it.each<readonly [string, readonly Step[], readonly string[]]>([
  ['before a sign-in', [note, signIn()], [noted]],
  ['within a session', [signIn(), SESSION_MS - MINUTE_MS, note], []],
  ['after the end of a session', [signIn(), SESSION_MS + GRACE_MS + MINUTE_MS, note], [noted]],
  ['after a later sign-in', [signIn(), 7 * HOUR_MS, signIn(), 7 * HOUR_MS, note], []],
  ['that was under way at the sign-out', [signIn(), signOut(), note], []],
  ['after the sign-out', [signIn(), signOut(), GRACE_MS + MINUTE_MS, note], [noted]],
  [
    'after the revocation of an operator added again',
    [signIn(), revoke, addAgain, GRACE_MS + MINUTE_MS, note],
    [noted],
  ],
])('an act %s', async (_when, steps, faults) => {
  expect(await faultsOf(...steps)).toEqual(faults);
});

test("an act in the operators' stream is a finding at once after the sign-out or the revocation", async () => {
  expect(await faultsOf(signIn(), named, signOut())).toEqual([]);
  expect(await faultsOf(signIn(), signOut(), named)).toEqual([`OperatorNamed by ${ann}, ${NOT}`]);
  const accepted = `FindingAcceptanceProposed by ${ann}`;
  const revoked = await faultsOf(signIn(), revoke, accept);
  expect(revoked).toContain(`${accepted}, ${NOT}`);
  expect(revoked).toContain(`${accepted}, whose role does not allow it`);
});

test('a sign-in in the name of another operator is a finding', async () => {
  expect(await faultsOf(signIn(BOB, bob), signIn(ANN, bob))).toEqual([
    `${bob} signed in as another operator`,
  ]);
});

test('a refused sign-in needs no session', async () => {
  const [operator, at] = [createWallet(4).address, { role: null, route: null, atMs: 0 }];
  const data = { operator, reason: 'unknown', ...at };
  const refused = write(`operator:${operator}`, OPERATORS_STREAM, 'OperatorAccessDenied', data);
  expect(await faultsOf(refused)).toEqual([]);
});

test('a sign-out of a session that is not open is a finding', async () => {
  const notOpen = 'the session that it ends was not open';
  expect(await faultsOf(signIn(), signOut('b'.repeat(64)))).toEqual([notOpen]);
  const again = [`OperatorSignedOut by ${ann}, ${NOT}`, notOpen];
  expect(await faultsOf(signIn(), signOut(), signOut())).toEqual(again);
});
