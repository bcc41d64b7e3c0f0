import { expect, test } from 'vitest';
import { type Check, type Finding, groupFindings } from './findings.ts';

const [anna, bert] = ['player-anna', 'player-bert'];
const at = (
  check: Check,
  position: number | null,
  details: Omit<Partial<Finding>, 'check' | 'position'> = {},
): Finding => ({ check, position, message: 'x', ...details });
const seal = (first: number, last: number) => at('seals', first, { range: [first, last] });
const state = (stream: string) =>
  at('streams', null, { row: `state ${stream}`, touches: [stream], about: stream });
const row = (table: string, ...touches: string[]) =>
  at('projections', null, { row: `${table} ${touches}`, touches });

/** The stream of each event first, then what else it touches. */
const places = { 7: [anna], 8: [anna], 9: [bert], 11: [anna], 12: [anna], 13: [bert], 20: [bert] };
const touched = new Map(
  Object.entries(places).map(([position, names]) => [
    Number(position),
    new Set([...names, `#${position}`]),
  ]),
);

const short = (kept: Finding[]) =>
  groupFindings({ kept, touched }).map(({ cause, consequences, next }) => ({
    cause: `${cause.check} ${cause.position}`,
    consequences: consequences.map(({ check, position }) => `${check} ${position}`),
    next,
  }));

test('one altered digit is one group with its consequences', () => {
  const found = [
    at('chain', 11),
    at('money', 11),
    at('rounds', 11),
    seal(1, 18),
    row('balances', anna),
    row('entries', '#11'),
    state(anna),
  ];
  const consequences = [
    'rounds 11',
    'money 11',
    'seals 1',
    'projections null',
    'projections null',
    'streams null',
  ];
  expect(short(found)).toEqual([{ cause: 'chain 11', consequences, next: 'event' }]);
});

test('the account and the row of another player, and a row of a table of its own, are not consequences', () => {
  const found = [at('chain', 11), state(bert), row('balances', bert), row('entries', '#12')];
  expect(short(found)).toEqual([
    { cause: 'chain 11', consequences: [], next: 'event' },
    { cause: 'streams null', consequences: [], next: 'state' },
    { cause: 'projections null', consequences: [], next: 'projections' },
    { cause: 'projections null', consequences: [], next: 'projections' },
  ]);
  // An event that was appended as it is changes its state as well.
  expect(short([at('payments', 11), state(anna), row('balances', anna)])).toHaveLength(3);
});

test('an event altered with its own hash: the break at the next event belongs to it', () => {
  expect(short([at('money', 7), at('chain', 8)])).toEqual([
    { cause: 'money 7', consequences: ['chain 8'], next: 'event' },
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
  // The next event, of another player.
  expect(short([at('chain', 8), at('payments', 9)])).toHaveLength(2);
});

test('two altered events are two groups, each with the seal over it', () => {
  const found = [at('chain', 20), at('chain', 5), seal(1, 10), seal(11, 25), seal(26, 30)];
  expect(short(found)).toEqual([
    { cause: 'chain 5', consequences: ['seals 1'], next: 'event' },
    { cause: 'chain 20', consequences: ['seals 11'], next: 'event' },
    { cause: 'seals 26', consequences: [], next: 'event' },
  ]);
});

test('a missing event: the rest of its stream does not fit, and nothing of another one', () => {
  const gone = ['missing', '#8'];
  const found = [
    at('idempotency-keys', 8, { row: 'key', touches: ['#8'] }),
    at('positions', 9, { touches: gone }),
    at('chain', 9),
    at('versions', 11, { touches: ['missing'] }),
    at('rounds', 12),
    at('payments', 20),
    state(anna),
    state(bert),
    at('projections', null, { row: 'it cannot be read', touches: ['#8'] }),
  ];
  expect(short(found)).toEqual([
    {
      cause: 'positions 9',
      consequences: [
        'chain 9',
        'versions 11',
        'rounds 12',
        'idempotency-keys 8',
        'streams null',
        'projections null',
      ],
      next: 'event',
    },
    { cause: 'payments 20', consequences: [], next: 'event' },
    { cause: 'streams null', consequences: [], next: 'state' },
  ]);
});

test('missing last events show in the head, in their stream and in what follows the ledger', () => {
  const found = [
    state(bert),
    at('idempotency-keys', 31, { row: 'key', touches: ['#31'] }),
    at('streams', null, { row: 'state', touches: [anna, 'missing'] }),
    at('followers', null, { row: '#31', touches: ['#31'] }),
    at('followers', null, { row: '#90', touches: ['#90'] }),
    at('head', null, { row: 'head', touches: ['missing', '#31'] }),
  ];
  expect(short(found)).toEqual([
    {
      cause: 'head null',
      consequences: ['idempotency-keys 31', 'streams null', 'followers null'],
      next: 'state',
    },
    { cause: 'streams null', consequences: [], next: 'state' },
    { cause: 'followers null', consequences: [], next: 'projections' },
  ]);
});

test('faults of one row are one group, wherever they show', () => {
  const seed = { row: 'a seed' };
  const found = [at('rounds', 9, seed), at('seeds', 7, seed), at('seeds', 8, { row: 'another' })];
  expect(short(found)).toEqual([
    { cause: 'seeds 8', consequences: [], next: 'event' },
    { cause: 'rounds 9', consequences: ['seeds 7'], next: 'event' },
  ]);
  expect(short([at('treasury', null), at('catalogue', null)])).toEqual([
    { cause: 'treasury null', consequences: [], next: 'solvency' },
    { cause: 'catalogue null', consequences: [], next: 'state' },
  ]);
  expect(short([])).toEqual([]);
});
