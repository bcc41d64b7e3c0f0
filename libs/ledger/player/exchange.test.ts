import { given } from '@reelbook/testing/given';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../config/config.ts';
import { postings } from '../event-types.ts';
import { checkMoney, marginDeltaMinor, takesCover } from '../invariants.ts';
import { AMOUNT_MAX_MINOR, exchangedMinor, gains, type Rate } from '../money.ts';
import { isRejection } from '../rejections.ts';
import type { Balances } from './balances.ts';
import type { Exchange } from './commands.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import { balancesOf, initialPlayer } from './state.ts';

const WALLET = 'W'.repeat(43);
const owning = (owned: Balances): PlayerEvent[] => [
  { type: 'PlayerRegistered', data: { wallet: WALLET, publicId: 'p1' } },
  { type: 'WelcomeGranted', data: { pointsMinor: owned.pointsMinor, after: owned } },
];
const rich = owning({ pointsMinor: 100_000n, tokenMinor: 5_000_000_000n });
const toToken: Exchange = {
  type: 'Exchange',
  fromAsset: 'points',
  toAsset: 'token',
  amountMinor: 10_000n,
  terms: defaultConfig.exchange,
};
const toPoints: Exchange = { ...toToken, fromAsset: 'token', toAsset: 'points' };

describe('an exchange', () => {
  it('of 100 points gives 1 BSM at its recorded rate', () => {
    given(playerDecider, rich)
      .when(toToken)
      .yields([
        {
          type: 'Exchanged',
          data: {
            fromAsset: 'points',
            toAsset: 'token',
            fromMinor: 10_000n,
            toMinor: 1_000_000_000n,
            rate: { numerator: 1, denominator: 100 },
            after: { pointsMinor: 90_000n, tokenMinor: 6_000_000_000n },
            notice: { n: 1, unread: 1 },
          },
        },
      ]);
  });
  it('of 2.5 BSM gives 250 points', () => {
    const state = given(playerDecider, rich)
      .when({ ...toPoints, amountMinor: 2_500_000_000n })
      .state();
    expect(balancesOf(state)).toEqual({ pointsMinor: 125_000n, tokenMinor: 2_500_000_000n });
  });
  it('leaves a remainder below a minor unit with the house', () => {
    const state = given(playerDecider, rich)
      .when({ ...toPoints, amountMinor: 199_999n })
      .state();
    expect(balancesOf(state)).toEqual({ pointsMinor: 100_001n, tokenMinor: 4_999_800_001n });
  });
  it('is two legs against the house, and its token leg moves the cover', () => {
    const [event] = playerDecider.decide(
      given(playerDecider, rich).when(toToken).state(),
      toToken,
    ) as PlayerEvent[];
    if (!event) throw new Error('an exchange is an event');
    expect(postings(event, WALLET)).toEqual([
      { account: `player:${WALLET}`, asset: 'points', deltaMinor: -10_000n },
      { account: 'house', asset: 'points', deltaMinor: 10_000n },
      { account: 'house', asset: 'token', deltaMinor: -1_000_000_000n },
      { account: `player:${WALLET}`, asset: 'token', deltaMinor: 1_000_000_000n },
    ]);
    expect(marginDeltaMinor([event], WALLET)).toBe(-1_000_000_000n);
    expect(takesCover([event])).toBe(true);
  });

  const huge = owning({ pointsMinor: 10n ** 19n, tokenMinor: 10n ** 19n });
  it.each([
    ['of nothing', rich, { amountMinor: 0n }, 'exchange-amount-invalid'],
    ['of less than nothing', rich, { amountMinor: -1n }, 'exchange-amount-invalid'],
    ['above the points', rich, { amountMinor: 100_001n }, 'exchange-insufficient-points'],
    [
      'above the token',
      rich,
      { ...toPoints, amountMinor: 5_000_000_001n },
      'exchange-insufficient-token',
    ],
    ['that gives nothing', rich, { ...toPoints, amountMinor: 99_999n }, 'exchange-too-small'],
    [
      'of too much',
      huge,
      { ...toPoints, amountMinor: AMOUNT_MAX_MINOR + 1n },
      'exchange-too-large',
    ],
    ['that gives too much', huge, { amountMinor: 10n ** 14n }, 'exchange-too-large'],
    ['of an asset for itself', rich, { toAsset: 'points' }, 'exchange-same-asset'],
    [
      'while it is switched off',
      rich,
      { terms: { ...defaultConfig.exchange, enabled: false } },
      'exchange-switched-off',
    ],
    ['of a stranger', [], {}, 'not-registered'],
  ] as const)('%s is refused', (_name, history, part, code) => {
    given(playerDecider, history)
      .when({ ...toToken, ...part })
      .rejects(code);
  });
});

const rate = fc.record({
  numerator: fc.integer({ min: 1, max: 1_000_000_000 }),
  denominator: fc.integer({ min: 1, max: 1_000_000_000 }),
});
/** Two rates that a configuration may have, often with a product close to 1. */
const rates: fc.Arbitrary<readonly [Rate, Rate]> = fc
  .tuple(rate, fc.oneof(fc.constant(null), rate))
  .map(
    ([there, back]) =>
      [there, back ?? { numerator: there.denominator, denominator: there.numerator }] as const,
  )
  .filter(([there, back]) => !gains(there, back));

describe('no cycle of exchanges gains', () => {
  it('of one exchange in each direction, of any amount at any rates', () => {
    const amount = fc.bigInt({ min: 1n, max: AMOUNT_MAX_MINOR });
    const assets = fc.constantFrom(['points', 'token'] as const, ['token', 'points'] as const);
    fc.assert(
      fc.property(rates, amount, assets, ([there, back], amountMinor, [fromAsset, toAsset]) => {
        const got = exchangedMinor({ fromAsset, toAsset, amountMinor, rate: there });
        const again = { fromAsset: toAsset, toAsset: fromAsset, amountMinor: got, rate: back };
        expect(exchangedMinor(again) <= amountMinor).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of many exchanges of any amounts: with the points of before, the player has no more token', () => {
    const steps = fc.array(
      fc.record({ there: fc.boolean(), part: fc.integer({ min: 1, max: 1_000 }) }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(rates, steps, ([pointsToToken, tokenToPoints], list) => {
        const terms = { enabled: true, pointsToToken, tokenToPoints };
        const start = { pointsMinor: 10n ** 9n, tokenMinor: 10n ** 15n };
        let state = { ...initialPlayer, wallet: WALLET, publicId: 'p1', ...start };
        for (const { there, part } of list) {
          const command = there ? toToken : toPoints;
          const owned = there ? state.pointsMinor : state.tokenMinor;
          const amountMinor = (owned * BigInt(part)) / 1_000n;
          const events = playerDecider.decide(state, { ...command, amountMinor, terms });
          if (isRejection(events)) continue;
          const [event] = events;
          if (!event) throw new Error('an exchange is an event');
          const before = balancesOf(state);
          state = playerDecider.evolve(state, event) as typeof state;
          expect(checkMoney(event, WALLET, before)).toEqual(balancesOf(state));
        }
        // The total value in points at the rate at which token are bought never increases.
        const worth = ({ pointsMinor, tokenMinor }: Balances) =>
          pointsMinor * BigInt(pointsToToken.numerator) * 10n ** 7n +
          tokenMinor * BigInt(pointsToToken.denominator);
        expect(worth(state) <= worth(start)).toBe(true);
      }),
    );
  });
});
