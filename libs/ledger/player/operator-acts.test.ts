import { given } from '@reelbook/testing/given';
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
import { type AdjustBalance, PROPOSALS_MAX } from './operator-acts.ts';
import { refuseBuyingPoints, refuseDepositIntent, refuseStake } from './protection-state.ts';
import { balancesOf } from './state.ts';

const WALLET = 'W'.repeat(43);
const [ANN, BOB] = [`operator:${'A'.repeat(43)}`, `operator:${'B'.repeat(43)}`] as const;
const operators = { ['A'.repeat(43)]: 'operator', ['B'.repeat(43)]: 'admin' } as const;
const reason = 'as agreed';
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
  const reinstate = { type: 'ReinstatePlayer', by: BOB, reason } as const;

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

  test('neither starts nor ends twice', () => {
    player(...after(suspend))
      .when(suspend)
      .rejects('suspended-already');
    player().when(reinstate).rejects('not-suspended');
  });

  test.each([suspend, reinstate, adjust(), { type: 'NotePlayer', by: ANN, note: 'x' } as const])(
    'an unregistered player is refused: $type',
    (command) => {
      given(playerDecider, []).when(command).rejects('no-such-player');
    },
  );

  test.each(['', ' ', 'x'.repeat(501), 'a\u0000b', '\ud800'])('the reason %j is refused', (bad) => {
    player()
      .when({ ...suspend, reason: bad })
      .rejects('reason-invalid');
    player()
      .when(adjust({ reason: bad }))
      .rejects('reason-invalid');
    player().when({ type: 'NotePlayer', by: ANN, note: bad }).rejects('reason-invalid');
  });
});

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
            approvedBy: null,
            approvalReason: null,
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
    player(...after(half, taken))
      .when(adjust({ deltaMinor: 1n }))
      .yields([
        {
          type: 'AdjustmentProposed',
          data: { adjustment: 'p-a3', asset: 'points', deltaMinor: 1n, by: ANN, reason },
        },
      ]);
    // Another asset and another day are counted separately; a late clock does not reopen a day.
    const types = (command: AdjustBalance) => after(half, taken, command).at(-1)?.type;
    expect(types(adjust({ asset: 'token', deltaMinor: 500n }))).toBe('BalanceAdjusted');
    expect(types(adjust({ deltaMinor: 1n, nowMs: NOW + DAY_MS }))).toBe('BalanceAdjusted');
    expect(types(adjust({ deltaMinor: 1n, nowMs: NOW - DAY_MS }))).toBe('AdjustmentProposed');
  });

  const large = adjust({ deltaMinor: 1_001n });
  const approve = {
    ...({ type: 'ApproveAdjustment', adjustment: 'p-a1', by: BOB } as const),
    reason,
    nowMs: NOW,
    operators,
  } as const;

  test('above it waits, moves nothing, and is done by another operator', () => {
    const proposed = after(large);
    expect(proposed.map(({ type }) => type)).toEqual(['AdjustmentProposed']);
    const approved = player(...proposed).when({ ...approve, reason: 'I saw it too' });
    expect(balancesOf(approved.state()).pointsMinor).toBe(6_001n);
    expect(approved.state().standing?.proposals).toEqual([]);
    const waiting = player(...proposed);
    waiting.when({ ...approve, by: ANN }).rejects('adjustment-by-proposer');
    waiting.when({ ...approve, operators: {} }).rejects('adjustment-proposer-revoked');
    const lowered = {
      ...approve,
      operators: { ...operators, ['A'.repeat(43)]: 'viewer' },
    } as const;
    player(...proposed)
      .when(lowered)
      .rejects('adjustment-proposer-revoked');
    for (const by of ['operator:unknown', approve.by]) {
      waiting
        .when({ ...approve, by, operators: { ['A'.repeat(43)]: 'operator' } })
        .rejects('operator-may-not-act');
    }
    player(...after(large, approve))
      .when(approve)
      .rejects('no-such-adjustment');
  });

  test('that waits can be refused, once, and is not done then', () => {
    const refuse = { type: 'RefuseAdjustment', adjustment: 'p-a1', by: ANN, reason } as const;
    player(...after(large, refuse))
      .when(approve)
      .rejects('no-such-adjustment');
    player(...after(large, refuse))
      .when(refuse)
      .rejects('no-such-adjustment');
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

  test('that the balance no longer allows is refused when it is approved', () => {
    const all = adjust({ deltaMinor: -5_000n });
    const less = adjust({ deltaMinor: -1n });
    player(...after(all, less))
      .when(approve)
      .rejects('adjustment-beyond-balance');
  });

  test('is refused above the limit of waiting ones', () => {
    player(...after(...Array(PROPOSALS_MAX).fill(large)))
      .when(large)
      .rejects('adjustments-too-many');
  });

  test('any sequence keeps money exact, single operators within their limit, and requires cover', () => {
    const step = fc.record({
      asset: fc.constantFrom<Asset>('points', 'token'),
      deltaMinor: fc.bigInt({ min: -1_200n, max: 1_200n }),
      by: fc.constantFrom(ANN, BOB),
      act: fc.constantFrom('adjust', 'approve', 'refuse'),
      n: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let state = fold(playerDecider, registered);
        const alone = { points: 0n, token: 0n };
        for (const { asset, deltaMinor, by, act, n } of steps) {
          const on = { adjustment: `p-a${n}`, by, reason, nowMs: NOW };
          const command =
            act === 'adjust'
              ? adjust({ asset, deltaMinor, by })
              : act === 'approve'
                ? ({ type: 'ApproveAdjustment', operators, ...on } as const)
                : ({ type: 'RefuseAdjustment', ...on } as const);
          const decided = playerDecider.decide(state, command);
          if (isRejection(decided)) continue;
          for (const event of decided) {
            checkMoney(event, WALLET, state);
            if (event.type === 'BalanceAdjusted') {
              const { data } = event;
              expect(takesCover([event])).toBe(true);
              const token = data.asset === 'token' ? -data.deltaMinor : 0n;
              expect(marginDeltaMinor([event], WALLET)).toBe(token);
              if (data.approvedBy === null) {
                alone[data.asset] += data.deltaMinor < 0n ? -data.deltaMinor : data.deltaMinor;
              } else expect(data.approvedBy).not.toBe(data.by);
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
