import { given } from '@reelbook/testing/given';
import { describe, expect, test } from 'vitest';
import { operatorsDecider } from './decide.ts';
import type { OperatorEvent } from './events.ts';
import { nameOf } from './names.ts';
import type { Role } from './roles.ts';

const [ANN, BOB, EVE] = ['A', 'B', 'E'].map((letter) => letter.repeat(43)) as [
  string,
  string,
  string,
];
const reason = 'for a test';
const added = (operator: string, role: Role): OperatorEvent => ({
  type: 'OperatorAdded',
  data: { operator, roleBefore: null, roleAfter: role, reason },
});
const named = (operator: string, nameAfter: string, nameBefore: string | null = null) =>
  ({ type: 'OperatorNamed', data: { operator, nameBefore, nameAfter, reason } }) as const;
const name = (operator: string, text: string, by = operator) =>
  ({ type: 'NameOperator', operator, name: text, reason, by: `operator:${by}` }) as const;
const operators = (...more: OperatorEvent[]) =>
  given(operatorsDecider, [added(ANN, 'admin'), added(BOB, 'viewer'), ...more]);

describe('a name of an operator', () => {
  test('is set by the operator, also one who may only view, and by an admin', () => {
    operators()
      .when(name(BOB, '  Bob  Lee '))
      .yields([named(BOB, 'Bob Lee')]);
    const renamed = operators(named(BOB, 'Bob Lee')).when(name(BOB, 'Robert', ANN));
    renamed.yields([named(BOB, 'Robert', 'Bob Lee')]);
    expect(nameOf(renamed.state(), BOB)).toBe('Robert');
    expect(nameOf(renamed.state(), 'constructor')).toBe(null);
    operators(named(BOB, 'Bob Lee')).when(name(BOB, 'Bob Lee')).yields([]);
  });

  test.each([
    ['by another operator who is no admin', name(ANN, 'Ann', BOB), 'operator-name-not-own'],
    ['of a stranger', name(EVE, 'Eve', ANN), 'no-such-operator'],
    ['that is empty', name(BOB, ' '), 'operator-name-invalid'],
    ['that is too long', name(BOB, 'x'.repeat(21)), 'operator-name-invalid'],
    ['with hidden characters', name(BOB, 'Bob\u202e'), 'operator-name-invalid'],
    ['that names a role', name(BOB, 'Аdmin'), 'operator-name-reserved'],
    ['of another operator', name(ANN, 'Bob Lee'), 'operator-name-taken'],
    ['that looks like one of another operator', name(ANN, 'B0b-Iee'), 'operator-name-taken'],
  ] as const)('is not set %s', (_what, command, code) => {
    operators(named(BOB, 'Bob Lee')).when(command).rejects(code);
  });

  test('of a revoked operator is not given to another, and the same letters in another order are', () => {
    const history = [
      named(BOB, '小明'),
      {
        type: 'OperatorRevoked',
        data: { operator: BOB, roleBefore: 'viewer', roleAfter: null, reason },
      },
    ] as const;
    operators(...history)
      .when(name(ANN, '小明'))
      .rejects('operator-name-taken');
    operators(...history)
      .when(name(BOB, 'Bob'))
      .rejects('no-such-operator');
    operators(...history)
      .when(name(ANN, '明小'))
      .yields([named(ANN, '明小')]);
  });

  test('needs a reason', () => {
    operators()
      .when({ ...name(BOB, 'Bob'), reason: ' ' })
      .rejects('reason-invalid');
  });
});
