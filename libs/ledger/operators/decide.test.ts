import { given } from '@reelbook/testing/given';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../calendar.ts';
import { fold } from '../decider.ts';
import { operatorsDecider, REFUSALS_AN_HOUR_MAX } from './decide.ts';
import type { OperatorEvent } from './events.ts';
import { OPERATORS_MAX } from './role-changes.ts';
import { mayAct, ROLES, type Role } from './roles.ts';
import { roleOf, SESSION_MS, SESSIONS_PER_OPERATOR_MAX } from './state.ts';

const [ANN, BOB, EVE] = ['A', 'B', 'E'].map((letter) => letter.repeat(43)) as [
  string,
  string,
  string,
];
const reason = 'for a test';
const by = 'system:test';
const added = (operator: string, role: Role): OperatorEvent => ({
  type: 'OperatorAdded',
  data: { operator, roleBefore: null, roleAfter: role, reason },
});
const revoked = (operator: string, role: Role): OperatorEvent => ({
  type: 'OperatorRevoked',
  data: { operator, roleBefore: role, roleAfter: null, reason },
});
const operators = (...history: OperatorEvent[]) => given(operatorsDecider, history);
const signIn = (operator: string, atMs = 0) =>
  ({ type: 'SignInOperator', operator, session: 'name', method: 'wallet', atMs }) as const;

describe('roles', () => {
  test('each includes those before it', () => {
    const table = ROLES.map((role) => ROLES.filter((least) => mayAct(role, least)).length);
    expect(table).toEqual([1, 2, 3, 4]);
  });

  test('are added, changed and revoked, each with before and after', () => {
    operators()
      .when({ type: 'AddOperator', operator: ANN, role: 'admin', reason, by })
      .yields([added(ANN, 'admin')]);
    const both = operators(added(ANN, 'admin'), added(BOB, 'viewer'));
    both.when({ type: 'ChangeOperatorRole', operator: BOB, role: 'operator', reason, by }).yields([
      {
        type: 'OperatorRoleChanged',
        data: { operator: BOB, roleBefore: 'viewer', roleAfter: 'operator', reason },
      },
    ]);
    const gone = both.when({ type: 'RevokeOperator', operator: BOB, reason, by });
    gone.yields([revoked(BOB, 'viewer')]);
    expect(roleOf(gone.state(), BOB)).toBe(null);
    expect(roleOf(gone.state(), 'constructor')).toBe(null);
  });

  test('a revoked operator can be added again', () => {
    operators(added(ANN, 'admin'), added(BOB, 'viewer'), revoked(BOB, 'viewer'))
      .when({ type: 'AddOperator', operator: BOB, role: 'auditor', reason, by })
      .yields([added(BOB, 'auditor')]);
  });

  test.each([
    ['twice', { type: 'AddOperator', operator: ANN, role: 'viewer', reason, by }, 'operator-known'],
    [
      'to no wallet',
      { type: 'AddOperator', operator: 'me', role: 'viewer', reason, by },
      'operator-wallet-invalid',
    ],
    [
      'for no reason',
      { type: 'AddOperator', operator: BOB, role: 'viewer', reason: ' ', by },
      'reason-invalid',
    ],
    ['of a stranger', { type: 'RevokeOperator', operator: EVE, reason, by }, 'no-such-operator'],
    [
      'of the last admin',
      { type: 'RevokeOperator', operator: ANN, reason, by },
      'operator-last-admin',
    ],
    [
      'from the last admin',
      { type: 'ChangeOperatorRole', operator: ANN, role: 'viewer', reason, by },
      'operator-last-admin',
    ],
  ] as const)('not %s', (_what, command, code) => {
    operators(added(ANN, 'admin')).when(command).rejects(code);
  });

  test('are limited in number', () => {
    const name = (n: number) => `${'2'.repeat(40)}${String(n + 100).replaceAll('0', 'z')}`;
    const many = Array.from({ length: OPERATORS_MAX }, (_, n) => added(name(n), 'viewer'));
    operators(...many)
      .when({ type: 'AddOperator', operator: ANN, role: 'admin', reason, by })
      .rejects('operators-too-many');
  });
});

describe('a sign-in', () => {
  test('of an operator has the current role', () => {
    operators(added(ANN, 'auditor'))
      .when(signIn(ANN, 7))
      .yields([
        {
          type: 'OperatorSignedIn',
          data: { operator: ANN, role: 'auditor', session: 'name', method: 'wallet', atMs: 7 },
        },
      ]);
  });

  test('of an unknown wallet and of a revoked operator is recorded with its reason', () => {
    const history = [added(ANN, 'admin'), added(BOB, 'viewer'), revoked(BOB, 'viewer')];
    for (const [operator, reason] of [
      [EVE, 'unknown'],
      [BOB, 'revoked'],
    ] as const) {
      const data = { operator, reason, role: null, route: null, atMs: 5 };
      operators(...history)
        .when(signIn(operator, 5))
        .yields([{ type: 'OperatorAccessDenied', data }]);
    }
  });

  test('above the limit of an hour no refusal is recorded, and a late clock does not reopen an hour', () => {
    let events: readonly OperatorEvent[] = [];
    for (let n = 0; n < REFUSALS_AN_HOUR_MAX; n++) {
      const state = fold(operatorsDecider, events);
      events = [
        ...events,
        ...(operatorsDecider.decide(state, signIn(EVE, 10 * HOUR_MS + n)) as OperatorEvent[]),
      ];
    }
    expect(events.length).toBe(REFUSALS_AN_HOUR_MAX);
    operators(...events)
      .when(signIn(BOB, 10 * HOUR_MS + 99))
      .rejects('operator-unknown');
    operators(...events)
      .when(signIn(BOB, 3 * HOUR_MS))
      .rejects('operator-unknown');
    operators(...events)
      .when({ type: 'RefuseOperator', operator: ANN, route: 'GET /x', atMs: 10 * HOUR_MS })
      .yields([
        {
          type: 'OperatorAccessDenied',
          data: {
            operator: ANN,
            reason: 'role',
            role: null,
            route: 'GET /x',
            atMs: 10 * HOUR_MS,
          },
        },
      ]);
    const next = operators(...events)
      .when(signIn(BOB, 11 * HOUR_MS))
      .state();
    expect(next.refused).toEqual({ hour: 11, count: 1 });
  });
});

describe('a session', () => {
  const signedIn = (operator: string, session: string, atMs = 0): OperatorEvent => ({
    type: 'OperatorSignedIn',
    data: { operator, role: 'viewer', session, method: 'wallet', atMs },
  });
  const signedOut = (operator: string, session: string): OperatorEvent => ({
    type: 'OperatorSignedOut',
    data: { operator, session },
  });
  const signOut = (operator: string, session: string) =>
    ({ type: 'SignOutOperator', operator, session }) as const;
  const both = [added(ANN, 'viewer'), added(BOB, 'viewer'), signedIn(ANN, 'a'), signedIn(BOB, 'b')];
  const namesOf = (...history: OperatorEvent[]) =>
    fold(operatorsDecider, history).sessions.map(({ session }) => session);

  test('ends with its sign-out, once, and not with that of another operator', () => {
    operators(...both)
      .when(signOut(ANN, 'a'))
      .yields([signedOut(ANN, 'a')]);
    for (const command of [signOut(ANN, 'b'), signOut(EVE, 'a'), signOut(ANN, 'c')]) {
      operators(...both)
        .when(command)
        .yields([]);
    }
    operators(...both, signedOut(ANN, 'a'))
      .when(signOut(ANN, 'a'))
      .yields([]);
    expect(namesOf(...both, signedOut(ANN, 'a'))).toEqual(['b']);
  });

  test('ends with the role of its operator, and stays ended when that comes back', () => {
    const again = [revoked(ANN, 'viewer'), added(ANN, 'admin')];
    expect(namesOf(...both, ...again)).toEqual(['b']);
    const lowered: OperatorEvent = {
      type: 'OperatorRoleChanged',
      data: { operator: ANN, roleBefore: 'viewer', roleAfter: 'auditor', reason },
    };
    expect(namesOf(...both, lowered)).toEqual(['a', 'b']);
  });

  test('is kept for eight hours; a sign-in beyond the bound of an operator ends the oldest', () => {
    expect(namesOf(...both, signedIn(ANN, 'c', SESSION_MS - 1))).toEqual(['a', 'b', 'c']);
    expect(namesOf(...both, signedIn(ANN, 'c', SESSION_MS))).toEqual(['c']);
    const more = Array.from({ length: SESSIONS_PER_OPERATOR_MAX }, (_, n) => signedIn(ANN, `${n}`));
    expect(namesOf(...both, ...more)).toEqual(['b', ...more.keys()].map(String));
  });
});

describe('the allowance of one operator', () => {
  const DAY = 20_000;
  const terms = {
    singleOperatorMaxPointsMinor: 100n,
    singleOperatorMaxTokenMinor: 100n,
    operatorDayMaxPointsMinor: 150n,
    operatorDayMaxTokenMinor: 10n,
  };
  const use = (deltaMinor: bigint, day = DAY, asset: 'points' | 'token' = 'points') =>
    ({
      ...({ type: 'UseAllowance', operator: ANN, player: 'p', asset } as const),
      deltaMinor,
      terms,
      day,
    }) as const;
  const used = (deltaMinor: bigint, before: bigint, after: bigint, day = DAY): OperatorEvent => ({
    type: 'AllowanceUsed',
    data: {
      operator: ANN,
      player: 'p',
      asset: 'points',
      deltaMinor,
      day,
      usedBefore: { pointsMinor: before, tokenMinor: 0n },
      usedAfter: { pointsMinor: after, tokenMinor: 0n },
    },
  });

  test('counts amounts in both directions, each asset separately, up to the limit', () => {
    operators()
      .when(use(100n))
      .yields([used(100n, 0n, 100n)]);
    operators(used(100n, 0n, 100n))
      .when(use(-50n))
      .yields([used(-50n, 100n, 150n)]);
    operators(used(100n, 0n, 100n))
      .when(use(51n))
      .rejects('operator-allowance-used');
    operators(used(150n, 0n, 150n))
      .when(use(11n, DAY, 'token'))
      .rejects('operator-allowance-used');
  });
  test('restarts with the day, and not with a late clock', () => {
    operators(used(150n, 0n, 150n))
      .when(use(150n, DAY + 1))
      .yields([used(150n, 0n, 150n, DAY + 1)]);
    operators(used(150n, 0n, 150n))
      .when(use(1n, DAY - 1))
      .rejects('operator-allowance-used');
  });
});
