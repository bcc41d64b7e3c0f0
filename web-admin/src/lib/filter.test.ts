import { defaultConfig } from '@reelbook/ledger/config/config';
import { listConfig } from '@reelbook/ledger/config/edit';
import { EVENTS } from '@reelbook/ledger/event-types';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  filterQuery,
  inferToken,
  offersOf,
  placesOf,
  readFilter,
  readToken,
  suggest,
  TOKEN_KEYS,
  withToken,
  writeFilter,
  writeToken,
} from './filter.ts';
import { settingPath } from './paths.ts';
import { placeOf, settingName } from './setting-texts.ts';

const WALLET = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU';
const queryOf = (text: string) => filterQuery(readFilter(text));

test('converts tokens to the query of the explorer', () => {
  expect(
    queryOf(
      `player:${WALLET} type:BetWon,BetLost since:2026-11-17 until:2026-11-18T06:30 game:snake`,
    ),
  ).toEqual({
    query: {
      wallet: WALLET,
      types: 'BetWon,BetLost',
      from: '2026-11-17T00:00:00.000Z',
      to: '2026-11-18T06:30:00.000Z',
      game: 'snake',
    },
    invalid: [],
  });
  expect(queryOf('player:lucky-1').query).toEqual({ public_id: 'lucky-1' });
});

test.each([
  ['amount=30', { min_minor: '30000000000', max_minor: '30000000000' }],
  ['amount:1,000.50', { min_minor: '1000500000000', max_minor: '1000500000000' }],
  ['30.00', { min_minor: '30000000000', max_minor: '30000000000' }],
  ['amount=30points', { asset: 'points', min_minor: '3000', max_minor: '3000' }],
  ['amount=30bsm', { asset: 'token', min_minor: '30000000000', max_minor: '30000000000' }],
  // Only one asset has such amounts.
  ['12.005', { asset: 'token', min_minor: '12005000000', max_minor: '12005000000' }],
  [
    '12345678.123456789BSM',
    { asset: 'token', min_minor: '12345678123456789', max_minor: '12345678123456789' },
  ],
  ['since:2028-02-29', { from: '2028-02-29T00:00:00.000Z' }],
  ['amount>=2,000,000,000', { asset: 'points', min_minor: '200000000000' }],
  ['position=#4,118', { from_position: 4118, to_position: 4118 }],
  ['type=BetWon', { types: 'BetWon' }],
  ['type:betwon,BETLOST', { types: 'BetWon,BetLost' }],
  ['betwon', { types: 'BetWon' }],
])('understands %s', (text, query) => {
  expect(queryOf(text)).toEqual({ query, invalid: [] });
});

const PLACES = {
  games: [],
  settings: ['withdraw.feeRate', 'withdraw.hotWalletMaxTokenMinor', 'games.snake.enabled'],
  operators: [
    { operator: `HyDH${WALLET.slice(4)}`, name: 'Marlene' },
    { operator: WALLET, name: null },
  ],
};
test.each([
  ['feeRate', ['Withdrawals: Fee rate, fraction of the gross amount']],
  ['hot wallet', ['Withdrawals: Hot wallet cap (0: no cap)']],
  ['snake enabled', ['snake: Enabled']],
  ['HyDH', [`Marlene HyDH${WALLET.slice(4)}`]],
  ['marl', [`Marlene HyDH${WALLET.slice(4)}`]],
  ['appro', ['Approvals']],
  ['withdrawals', ['Withdrawals', ...PLACES.settings.slice(0, 2).map(settingName)]],
  ['h', []],
  ['nothing of it', []],
])('%s finds pages, values of the configuration and operators', (typed, found) => {
  expect(placesOf(typed, PLACES).map(({ text }) => text)).toEqual(found);
});

test.each([
  ['20 BSM', 'amount=20BSM'],
  ['1,000 points', 'amount=1,000points'],
  ['1\u00a0000 points', 'amount=1,000points'],
  ['1\u00a05 BSM', 'amount=1,5BSM'],
  ['20', undefined],
  ['1,000', undefined],
])('%s alone means %s', (text, token) => {
  const found = inferToken(text);
  expect(found && writeToken(found)).toBe(token ?? null);
});

test('an amount in another unit than that of the filter is invalid', () => {
  expect(queryOf('asset:points amount=5BSM').invalid).toHaveLength(1);
  expect(queryOf('amount>=5BSM amount<=9points').invalid).toHaveLength(2);
  // The unit of one bound is that of the other.
  const query = { asset: 'points', min_minor: '500', max_minor: '1999' };
  expect(queryOf('amount>=5points amount<20')).toEqual({ query, invalid: [] });
});

test('no token is dropped beyond the maximum', () => {
  const text = Array.from({ length: 30 }, (_, index) => `round:r-${index + 1}`).join(' ');
  expect(queryOf(text).invalid).toHaveLength(6);
});

test('amounts are exact, in the named asset, and > excludes its bound', () => {
  expect(queryOf('amount>100').query).toEqual({ min_minor: '100000000001' });
  expect(queryOf('asset:points amount>100').query).toEqual({ asset: 'points', min_minor: '10001' });
  expect(queryOf('asset:token amount>=12.5 amount<20').query).toEqual({
    asset: 'token',
    min_minor: '12500000000',
    max_minor: '19999999999',
  });
  expect(queryOf('position>=5 position<9').query).toEqual({ from_position: 5, to_position: 8 });
});

test.each([
  'amount>ten',
  'amount=12.005points',
  'amount=1.0000000001',
  'amount<0',
  'amount=1,5',
  'amount=1,5BSM',
  'since:2026-09-31',
  'until:2026-02-30T06:30',
  'since:yesterday',
  'asset:gold',
  'position<1',
  'type:Nope',
  'hash:abc',
  'kind:people',
  'Nope',
  'colour:red',
])('reports %s as invalid and keeps the other tokens', (text) => {
  const { query, invalid } = queryOf(`${text} game:snake`);
  expect(invalid.map(writeToken)).toEqual([text]);
  expect(query).toEqual({ game: 'snake' });
});

test.each(['type>BetWon', 'colour:red', '48213', 'type:', 'BetWon'])(
  '%s is not a token and may be an identifier',
  (text) => expect(readToken(text)).toBeNull(),
);

test.each([
  // Enter takes the first one.
  ['50 BSM', 'amount=50BSM'],
  ['1,000.50points', 'amount=1,000.50points'],
  ['50', 'amount=50'],
  ['kind', 'kind:'],
  ['asset:token', 'asset:token'],
  ['asset:po', 'asset:points'],
])('%s suggests %s first', (typed, first) => {
  expect(suggest(typed)[0]?.text).toBe(first);
});

test('the token that is typed is suggested before others that contain it', () => {
  const games = ['dice-slow', 'dice'].map((game) => ({ game, rules: [] }));
  const found = suggest('game:dice', games);
  expect(found.map(({ text }) => text)).toEqual(['game:dice', 'game:dice-slow']);
});

const games = Object.keys(defaultConfig.games).map((game) => ({ game, rules: [] }));
const settings = listConfig(defaultConfig).map(({ path }) => path);
const tokens = [
  ...Object.keys(EVENTS).map((type) => ['type', type] as const),
  ...games.map(({ game }) => ['game', game] as const),
];
const begins = (text: string, typed: string) => text.toLowerCase().startsWith(typed.toLowerCase());
/** The first offer that is no page: these are before all others. */
const firstOf = (typed: string) =>
  offersOf(typed, { settings, operators: [], games }).find(
    (one) => !('path' in one) || one.note !== 'page',
  );

test.each(tokens)(
  '%s:%s is before values of the configuration, by its name and by every start of it',
  (key, name) => {
    for (const text of [name, name.toLowerCase(), `${name} `]) {
      expect(firstOf(text), text).toMatchObject({ text: `${key}:${name}`, isComplete: true });
    }
    for (let length = 2; length < name.length; length++) {
      const typed = name.slice(0, length).toLowerCase();
      const { text = '' } = firstOf(typed) ?? {};
      const [, value = ''] = /^(?:type|game):(.+)$/.exec(text) ?? [];
      expect(begins(value, typed), `${typed}: ${text}`).toBe(true);
    }
  },
);

test.each(settings)(
  'the value %s is first by its name, unless an event type or a game begins with it',
  (path) => {
    const [leaf, { name = '' }] = [path.split('.').at(-1) ?? '', placeOf(path)];
    for (const typed of [leaf, name, ...name.split(/[^\p{L}-]+/u).slice(0, 1)]) {
      const first = firstOf(typed);
      if (tokens.some(([, value]) => begins(value, typed))) {
        expect(first, typed).toMatchObject({ isComplete: true });
        continue;
      }
      const named = settings.filter((one) =>
        [placeOf(one).name ?? '', one.split('.').at(-1) ?? ''].some((text) => begins(text, typed)),
      );
      const found = first && 'path' in first ? first.path : first?.text;
      expect(named.map(settingPath), typed).toContain(found);
    }
  },
);

test.each([
  ['welcome', 'type:WelcomeGranted'],
  ['slot', 'game:slot-machine'],
  ['exchange', 'type:Exchanged'],
  ['approved', 'type:Approved'],
  ['rate', 'Withdrawals: Fee rate, fraction of the gross amount'],
  ['suspend', 'type:PlayerSuspended'],
])('%s offers %s first', (typed, text) => expect(firstOf(typed)?.text).toBe(text));

test('an operator is found by an abbreviated wallet', () => {
  const operators = [{ operator: WALLET, name: null }];
  for (const typed of ['7xKX…gAsU', '7xKX...gAsU', 'gAsU']) {
    expect(placesOf(typed, { settings: [], operators, games: [] })).toMatchObject([
      { text: WALLET },
    ]);
  }
  expect(placesOf('7xKX…gAsV', { settings: [], operators, games: [] })).toEqual([]);
});

test('a repeated key replaces the earlier token; lower and upper bound are kept together', () => {
  const tokens = readFilter('game:snake amount>1');
  const token = (text: string) => readToken(text) ?? expect.fail(text);
  expect(writeFilter(withToken(tokens, token('game:tetris')))).toBe('amount>1 game:tetris');
  expect(writeFilter(withToken(tokens, token('amount<9')))).toBe('game:snake amount>1 amount<9');
});

test('reads back what it writes', () => {
  const key = fc.constantFrom(
    ...Object.keys(TOKEN_KEYS).filter((k) => k !== 'amount' && k !== 'position'),
  );
  const text = fc.tuple(key, fc.stringMatching(/^[\w.:-]{1,12}$/)).map(([k, v]) => `${k}:${v}`);
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 8 }), (texts) => {
      const tokens = readFilter(texts.join('  '));
      expect(tokens.map(({ key: name }) => name)).not.toContain('unknown');
      expect(readFilter(writeFilter(tokens))).toEqual(tokens);
    }),
  );
});
