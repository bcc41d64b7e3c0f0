import { expect, test } from 'vitest';
import type { Check, Finding } from './findings.ts';
import { groupFindings } from './group-findings.ts';

const at = (check: Check, position: number | null, message = 'x'): Finding => ({
  check,
  position,
  message,
});
const short = (findings: readonly Finding[]) =>
  groupFindings(findings).map(({ cause, consequences, next }) => ({
    cause: `${cause.check} ${cause.position}`,
    consequences: consequences.map(({ check, position }) => `${check} ${position}`),
    next,
  }));

test('one altered digit is one group with its consequences', () => {
  const found = [
    at('chain', 4_118),
    at('money', 4_118),
    at('rounds', 4_118),
    at('seals', 4_001),
    at('projections', null, 'transactions'),
    at('projections', null, 'rounds'),
  ];
  expect(short(found)).toEqual([
    {
      cause: 'chain 4118',
      consequences: [
        'rounds 4118',
        'money 4118',
        'seals 4001',
        'projections null',
        'projections null',
      ],
      next: 'event',
    },
  ]);
});

test('an event altered with its own hash: the break at the next event belongs to it', () => {
  expect(short([at('money', 7), at('chain', 8), at('streams', null)])).toEqual([
    { cause: 'money 7', consequences: ['chain 8', 'streams null'], next: 'event' },
  ]);
  // The next event is faulty by itself.
  expect(short([at('money', 7), at('chain', 8), at('money', 8)])).toHaveLength(2);
});

test('a settlement that does not fit an altered bet belongs to it; an altered settlement does not', () => {
  const bet = [at('chain', 11), at('money', 11), at('rounds', 12)];
  expect(short(bet)).toEqual([
    { cause: 'chain 11', consequences: ['money 11', 'rounds 12'], next: 'event' },
  ]);
  expect(short([...bet, at('columns', 12)])).toHaveLength(2);
  expect(short([at('chain', 11), at('rounds', 13)])).toHaveLength(2);
});

test('two altered events are two groups, and what either can have caused is separate', () => {
  const found = [
    at('chain', 20),
    at('chain', 5),
    at('seals', 1),
    at('seals', 11),
    at('head', null),
  ];
  expect(short(found)).toEqual([
    { cause: 'chain 5', consequences: ['seals 1'], next: 'event' },
    { cause: 'chain 20', consequences: ['seals 11'], next: 'event' },
    { cause: 'head null', consequences: [], next: 'state' },
  ]);
});

test('faults without an event are grouped by check, each with its next step', () => {
  const found = [at('projections', null), at('projections', null), at('treasury', null)];
  expect(short(found)).toEqual([
    { cause: 'projections null', consequences: ['projections null'], next: 'projections' },
    { cause: 'treasury null', consequences: [], next: 'solvency' },
  ]);
  expect(short([at('seals', 9)])).toEqual([{ cause: 'seals 9', consequences: [], next: 'event' }]);
  expect(short([])).toEqual([]);
});
