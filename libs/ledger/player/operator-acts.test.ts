import { given } from '@reelbook/testing/given';
import { recordedActs } from '@reelbook/testing/golden';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DAY_MS } from '../calendar.ts';
import type { AdjustConfig } from '../config/config.ts';
import { fold } from '../decider.ts';
import { checkMoney, marginDeltaMinor, takesCover } from '../invariants.ts';
import type { Asset } from '../money.ts';
import { isRejection } from '../rejections.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import type { AdjustBalance } from './operator-acts.ts';
import { refuseBuyingPoints, refuseDepositIntent, refuseStake } from './protection-state.ts';
import { reasonOfRecorded } from './standing.ts';
import { balancesOf } from './state.ts';

const WALLET = 'W'.repeat(43);
const [ANN, BOB] = [`operator:${'A'.repeat(43)}`, `operator:${'B'.repeat(43)}`] as const;
const proposal = { number: 7, by: ANN, approvals: [BOB] };
const reason = 'as agreed';
const INVALID_REASONS = ['', ' ', 'x'.repeat(501), 'a\u0000b', '\ud800'];
const NOW = 20_000 * DAY_MS + 5;
const TERMS: AdjustConfig = {
  singleOperatorMaxPointsMinor: 1_000n,
  singleOperatorMaxTokenMinor: 500n,
  operatorDayMaxPointsMinor: 10_000n,
  operatorDayMaxTokenMinor: 5_000n,
};

const registered: readonly PlayerEvent[] = [
  { type: 'PlayerRegistered', data: { wallet: WALLET, publicId: 'p' } },
  {
    type: 'WelcomeGranted',
    data: { pointsMinor: 5_000n, after: { pointsMinor: 5_000n, tokenMinor: 0n } },
  },
];
const player = (...more: readonly PlayerEvent[]) => given(playerDecider, [...registered, ...more]);
const adjust = (part: Partial<AdjustBalance> = {}): AdjustBalance => ({
  type: 'AdjustBalance',
  by: ANN,
  reason,
  asset: 'points',
  deltaMinor: 1_000n,
  terms: TERMS,
  nowMs: NOW,
  ...part,
});
/** The events of commands, in order. */
function after(...commands: Parameters<typeof playerDecider.decide>[1][]): readonly PlayerEvent[] {
  const events = [...registered];
  for (const command of commands) {
    const decided = playerDecider.decide(fold(playerDecider, events), command);
    if (isRejection(decided)) throw new Error(decided.rejected);
    events.push(...decided);
  }
  return events.slice(registered.length);
}

describe('suspension', () => {
  const suspend = { type: 'SuspendPlayer', by: ANN, reason } as const;
  const reinstate = { type: 'ReinstatePlayer', by: BOB, reason, proposal } as const;

  test('has the statuses, the actor and the reason, and notifies the player', () => {
    player()
      .when(suspend)
      .yields([
        {
          type: 'PlayerSuspended',
          data: {
            statusBefore: 'active',
            statusAfter: 'suspended',
            by: ANN,
            reason,
            notice: { n: 1, unread: 1 },
          },
        },
      ]);
  });

  test('refuses stakes, points and deposits until it ends', () => {
    const waysIn = (history: readonly PlayerEvent[]) => {
      const state = fold(playerDecider, [...registered, ...history]);
      const terms = { nowMs: NOW, realityCheckMs: null };
      return [
        refuseStake(state, 100n, terms),
        refuseBuyingPoints(state, terms),
        refuseDepositIntent(state, { amountMinor: 1n, onItsWayMinor: 0n, timeMs: NOW }),
      ].map((refused) => refused?.rejected);
    };
    expect(waysIn(after(suspend))).toEqual(Array(3).fill('player-suspended'));
    expect(waysIn(after(suspend, reinstate))).toEqual([undefined, undefined, undefined]);
  });

  test('allows exchanging points for token and withdrawing', () => {
    const exchange = {
      type: 'Exchange',
      fromAsset: 'points',
      toAsset: 'token',
      amountMinor: 100n,
      terms: {
        enabled: true,
        pointsToToken: { numerator: 1, denominator: 100 },
        tokenToPoints: { numerator: 100, denominator: 1 },
      },
    } as const;
    expect(after(suspend, exchange).at(-1)?.type).toBe('Exchanged');
  });

  test('ends by two operators only', () => {
    const { proposal: _, ...alone } = reinstate;
    player(...after(suspend))
      .when(alone)
      .rejects('needs-two-people');
    expect(after(suspend, reinstate).at(-1)?.data).toMatchObject({ by: BOB, reason, proposal });
  });

  test('neither starts nor ends twice', () => {
    player(...after(suspend))
      .when(suspend)
      .rejects('suspended-already');
    player().when(reinstate).rejects('not-suspended');
  });

  test.each([suspend, reinstate, adjust()])(
    'an unregistered player is refused: $type',
    (command) => {
      given(playerDecider, []).when(command).rejects('no-such-player');
    },
  );

  test.each(INVALID_REASONS)('the reason %j is refused', (bad) => {
    player()
      .when({ ...suspend, reason: bad })
      .rejects('reason-invalid');
    player()
      .when(adjust({ reason: bad }))
      .rejects('reason-invalid');
  });
});

test.each(recordedActs)(
  'an act that changes no state is recorded with its data, and needs a reason: $act.type',
  ({ act, event }) => {
    player().when(act).yields([event]);
    given(playerDecider, []).when(act).rejects('no-such-player');
    const [field] = Object.entries(act).find(([, value]) => value === reasonOfRecorded(act)) ?? [];
    for (const bad of INVALID_REASONS) {
      player()
        .when({ ...act, [`${field}`]: bad })
        .rejects('reason-invalid');
    }
  },
);

describe('an adjustment', () => {
  test('within the limit of one operator is done immediately, with the balances before and after', () => {
    player()
      .when(adjust({ deltaMinor: -1_000n }))
      .yields([
        {
          type: 'BalanceAdjusted',
          data: {
            adjustment: 'p-a1',
            asset: 'points',
            deltaMinor: -1_000n,
            by: ANN,
            reason,
            day: 20_000,
            before: { pointsMinor: 5_000n, tokenMinor: 0n },
            after: { pointsMinor: 4_000n, tokenMinor: 0n },
            notice: { n: 1, unread: 1 },
          },
        },
      ]);
  });

  test('several of a day count together', () => {
    const half = adjust({ deltaMinor: 500n, by: BOB });
    const taken = adjust({ deltaMinor: -500n });
    const third = player(...after(half, taken));
    third.when(adjust({ deltaMinor: 1n })).rejects('needs-two-people');
    // Another asset and another day are counted separately; a late clock does not reopen a day.
    const types = (command: AdjustBalance) => after(half, taken, command).at(-1)?.type;
    expect(types(adjust({ asset: 'token', deltaMinor: 500n }))).toBe('BalanceAdjusted');
    expect(types(adjust({ deltaMinor: 1n, nowMs: NOW + DAY_MS }))).toBe('BalanceAdjusted');
    third.when(adjust({ deltaMinor: 1n, nowMs: NOW - DAY_MS })).rejects('needs-two-people');
  });

  test('above it needs two people, and does not count for one of them', () => {
    const large = adjust({ deltaMinor: 1_001n });
    player().when(large).rejects('needs-two-people');
    const approved = player()
      .when({ ...large, proposal })
      .state();
    expect(balancesOf(approved).pointsMinor).toBe(6_001n);
    expect(approved.standing).toMatchObject({ adjustments: 1, alone: { pointsMinor: 0n } });
  });

  test.each([
    ['nothing', { deltaMinor: 0n }, 'adjustment-amount-invalid'],
    ['too much', { deltaMinor: 10n ** 18n + 1n }, 'adjustment-amount-invalid'],
    ['more than there is', { deltaMinor: -5_001n }, 'adjustment-beyond-balance'],
    [
      'more token than the balance',
      { asset: 'token', deltaMinor: -1n },
      'adjustment-beyond-balance',
    ],
  ] as const)('of %s is refused', (_what, part, code) => {
    player().when(adjust(part)).rejects(code);
  });

  test('any sequence keeps money exact, single operators within their limit, and requires cover', () => {
    const step = fc.record({
      asset: fc.constantFrom<Asset>('points', 'token'),
      deltaMinor: fc.bigInt({ min: -1_200n, max: 1_200n }),
      by: fc.constantFrom(ANN, BOB),
      isApproved: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = fold(playerDecider, registered);
        const alone = { points: 0n, token: 0n };
        for (const { asset, deltaMinor, by, isApproved } of steps) {
          const command = adjust({ asset, deltaMinor, by, ...(isApproved && { proposal }) });
          const decided = playerDecider.decide(state, command);
          if (isRejection(decided)) continue;
          for (const event of decided) {
            checkMoney(event, WALLET, state);
            if (event.type === 'BalanceAdjusted') {
              const { data } = event;
              expect(takesCover([event])).toBe(true);
              const token = data.asset === 'token' ? -data.deltaMinor : 0n;
              expect(marginDeltaMinor([event], WALLET)).toBe(token);
              if (!data.proposal) {
                alone[data.asset] += data.deltaMinor < 0n ? -data.deltaMinor : data.deltaMinor;
              }
            }
            state = playerDecider.evolve(state, event);
          }
        }
        expect(alone.points <= 1_000n && alone.token <= 500n).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('protection by an operator', () => {
  const limit = {
    type: 'SetLimit',
    nowMs: NOW,
    kind: 'wager',
    period: 'day',
    amountMinor: 1_000n,
    operatorReason: reason,
  } as const;

  test('a limit applies immediately, has a reason, notifies the player, and may only be tightened', () => {
    const [set] = after(limit);
    expect(set?.data).toMatchObject({ fromMs: NOW, reason, notice: { n: 1, unread: 1 } });
    player(...after(limit))
      .when({ ...limit, amountMinor: 1_001n })
      .rejects('limit-not-tighter');
    expect(after(limit, { ...limit, amountMinor: 999n }).length).toBe(2);
    player(...after(limit))
      .when(limit)
      .yields([]);
    player()
      .when({ ...limit, operatorReason: '' })
      .rejects('reason-invalid');
  });

  test('an exclusion shows that an operator made it, and is not shortened', () => {
    const exclude = {
      type: 'ExcludeSelf',
      nowMs: NOW,
      term: '7d',
      operatorReason: reason,
    } as const;
    expect(after(exclude)[0]?.data).toMatchObject({ reason });
    player(...after(exclude))
      .when({ ...exclude, term: '24h' })
      .rejects('exclusion-not-shortened');
  });
});
