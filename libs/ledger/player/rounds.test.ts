import { given } from '@reelbook/testing/given';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Bug } from '../assert.ts';
import { DAY_MS } from '../calendar.ts';
import { defaultConfig } from '../config/config.ts';
import { fold } from '../decider.ts';
import { checkMoney } from '../invariants.ts';
import { isRejection } from '../rejections.ts';
import type { PlayerCommand, SettleRound, StartRound, VoidRound } from './commands.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import { initialPlayer, openRoundOf, openRounds, type PlayerState } from './state.ts';

const HASH = { a: 'a'.repeat(64), b: 'b'.repeat(64), c: 'c'.repeat(64), d: 'd'.repeat(64) };
const WALLET = 'W'.repeat(43);
const after = (pointsMinor: bigint) => ({ pointsMinor, tokenMinor: 0n });

const registered: PlayerEvent[] = [
  { type: 'PlayerRegistered', data: { wallet: WALLET, publicId: 'p1' } },
  { type: 'WelcomeGranted', data: { pointsMinor: 10_000n, after: after(10_000n) } },
  { type: 'SeedsCommitted', data: { pair: 1, activeHash: HASH.a, nextHash: HASH.b } },
  { type: 'ClientSeedChanged', data: { pair: 1, clientSeed: 'seed', by: 'site' } },
];
const start: StartRound = {
  type: 'StartRound',
  game: 'walk',
  stakeMinor: 1_000n,
  lines: 1,
  limits: { enabled: true, minStakeMinor: 1_000n, maxStakeMinor: 1_000n, maxLines: 1 },
  rules: 'walk-1',
  pair: 1,
  nonce: 0,
  draw: () => ({ ticks: 7 }),
  tickMs: 1_000,
};
const begun: PlayerEvent = {
  type: 'BetPlaced',
  data: {
    round: 'p1-1',
    game: 'walk',
    stakeMinor: 1_000n,
    lines: 1,
    rules: 'walk-1',
    pair: 1,
    nonce: 0,
    after: after(9_000n),
    timed: { ticks: 7, tickMs: 1_000 },
  },
};
const settle: SettleRound = {
  type: 'SettleRound',
  game: 'walk',
  round: 'p1-1',
  outcome: { ticks: 7 },
  payoutMinor: 1_200n,
  elapsedMs: 7_000,
  bigWinMultiple: 4,
};
const won: PlayerEvent = {
  type: 'BetWon',
  data: {
    round: 'p1-1',
    game: 'walk',
    outcome: { ticks: 7 },
    stakeMinor: 1_000n,
    payoutMinor: 1_200n,
    after: after(10_200n),
  },
};
const [ANN, BOB] = ['operator:ann', 'operator:bob'];
const cancel: VoidRound = {
  type: 'VoidRound',
  by: ANN,
  round: 'p1-1',
  reason: 'the game was broken',
  terms: { ...defaultConfig.adjust, singleOperatorMaxPointsMinor: 1_000n },
  isAllowed: true,
  nowMs: 3 * DAY_MS,
};
const open = given(playerDecider, [...registered, begun]);
const closed = given(playerDecider, [...registered, begun, won]);

describe('a timed round', () => {
  it('takes its stake immediately and stays open', () => {
    given(playerDecider, registered).when(start).yields([begun]);
    const state = fold(playerDecider, [...registered, begun]);
    expect(openRoundOf(state, 'walk')).toMatchObject({ round: 'p1-1', ticks: 7, tickMs: 1_000 });
    expect(state).toMatchObject({ pointsMinor: 9_000n, rounds: 1, seeds: { nonce: 1 } });
  });

  it('is settled when its ticks are over, not a millisecond sooner', () => {
    open.when({ ...settle, elapsedMs: 6_999 }).rejects('round-too-soon');
    open.when(settle).yields([won]);
    expect(openRounds(open.when(settle).state())).toEqual([]);
  });

  it('that is lost pays nothing', () => {
    const { payoutMinor: _, ...data } = won.data as typeof won.data & { payoutMinor: bigint };
    open
      .when({ ...settle, payoutMinor: 0n })
      .yields([{ type: 'BetLost', data: { ...data, after: after(9_000n) } } as PlayerEvent]);
  });

  it('notifies of a big win', () => {
    const state = open.when({ ...settle, payoutMinor: 4_000n }).state();
    expect(state.notices?.count).toBe(1);
  });

  it('does not notify of a win below the multiple, or below the points, of a big win', () => {
    const notified = (payoutMinor: bigint, bigWinMinMinor: bigint) =>
      open.when({ ...settle, payoutMinor, bigWinMinMinor }).state().notices?.count ?? 0;
    expect(notified(3_999n, 0n)).toBe(0);
    expect(notified(4_000n, 4_001n)).toBe(0);
    expect(notified(4_000n, 4_000n)).toBe(1);
  });

  it('is settled once, and no other round instead', () => {
    closed.when(settle).rejects('round-not-open');
    open.when({ ...settle, round: 'p1-2' }).rejects('round-not-open');
    open.when({ ...settle, game: 'run' }).rejects('round-not-open');
    given(playerDecider, registered).when(settle).rejects('round-not-open');
  });

  it('is the only open one of its game; other games are independent', () => {
    open.when({ ...start, nonce: 1 }).rejects('round-open');
    expect(openRounds(open.when({ ...start, nonce: 1, game: 'run' }).state())).toHaveLength(2);
    expect(closed.when({ ...start, nonce: 1 }).state().rounds).toBe(2);
    const draw = () => ({ outcome: {}, payoutMinor: 0n });
    const bet = { ...start, type: 'PlaceBet' as const, nonce: 1, draw };
    open.when({ ...bet, bigWinMultiple: 4 }).rejects('round-open');
    expect(open.when({ ...bet, game: 'run', bigWinMultiple: 4 }).state().rounds).toBe(2);
  });

  it('passes the guards of every stake before it is drawn', () => {
    const draw = () => {
      throw new Error('a stake that is refused was drawn');
    };
    const refused = { ...start, draw };
    const poor = given(playerDecider, [
      ...registered.slice(0, 1),
      { type: 'WelcomeGranted', data: { pointsMinor: 900n, after: after(900n) } },
      ...registered.slice(2),
    ]);
    poor.when(refused).rejects('insufficient-points');
    given(playerDecider, registered)
      .when({ ...refused, stakeMinor: 1_050n })
      .rejects('bet-not-integer');
    const least = { ...start.limits, minStakeMinor: 2_000n };
    given(playerDecider, registered)
      .when({ ...refused, limits: least })
      .rejects('bet-below-minimum');
    given(playerDecider, []).when(refused).rejects('not-registered');
  });

  it('must be drawn from the seeds in use, with at least one tick', () => {
    for (const wrong of [
      { nonce: 1 },
      { pair: 2 },
      { draw: () => ({ ticks: 0 }) },
      { draw: () => ({ ticks: 1.5 }) },
      { tickMs: 0 },
    ]) {
      expect(() => given(playerDecider, registered).when({ ...start, ...wrong })).toThrow(Bug);
    }
  });

  it('prevents the reveal of its seed while it is open', () => {
    const rotate: PlayerCommand = {
      type: 'RotateSeeds',
      serverSeedHash: HASH.a,
      serverSeed: HASH.d,
      nextHash: HASH.c,
      clientSeed: { text: 'mine', by: 'player' },
    };
    open.when(rotate).rejects('rotate-round-open');
    expect(closed.when(rotate).state().seeds?.pair).toBe(2);
    expect(open.when(cancel).state().seeds?.pair).toBe(1);
  });
});

/** The events of a command. */
function decide(state: PlayerState, command: PlayerCommand): readonly PlayerEvent[] {
  const decided = playerDecider.decide(state, command);
  if (isRejection(decided)) throw new Error(decided.rejected);
  return decided;
}

describe('a voided round', () => {
  const { round, reason } = cancel;

  it('returns its stake with a reason, and notifies its player', () => {
    const notice = { n: 1, unread: 1 };
    const decided = { by: ANN, reason, day: 3 };
    const ended = { after: after(10_000n), notice };
    const data = { round, game: 'walk', stakeMinor: 1_000n, ...decided, ...ended };
    open.when(cancel).yields([{ type: 'BetVoided', data }]);
    expect(openRounds(open.when(cancel).state())).toEqual([]);
  });

  it('counts as an adjustment of one operator, and above either limit needs two', () => {
    const terms = { ...cancel.terms, singleOperatorMaxPointsMinor: 999n };
    open.when({ ...cancel, terms }).rejects('needs-two-people');
    open.when({ ...cancel, isAllowed: false }).rejects('needs-two-people');
    const proposal = { number: 7, by: ANN, approvals: [BOB] };
    const approved = open.when({ ...cancel, isAllowed: false, terms, proposal });
    const data = { round, game: 'walk', stakeMinor: 1_000n, by: ANN, reason, proposal, day: 3 };
    const ended = { after: after(10_000n), notice: { n: 1, unread: 1 } };
    approved.yields([{ type: 'BetVoided', data: { ...data, ...ended } }]);
    expect(approved.state().standing).toBeUndefined();
    // The next round of the day is above what one operator may return alone, and so is an adjustment.
    const nextRound = given(playerDecider, [
      ...registered,
      begun,
      ...decide(fold(playerDecider, [...registered, begun]), cancel),
      { ...begun, data: { ...begun.data, round: 'p1-2', nonce: 1 } } as PlayerEvent,
    ]);
    nextRound.when({ ...cancel, round: 'p1-2' }).rejects('needs-two-people');
    const adjust = { type: 'AdjustBalance', by: ANN, reason, asset: 'points' } as const;
    const adjustment = { ...adjust, deltaMinor: 1n, terms: cancel.terms, nowMs: cancel.nowMs };
    nextRound.when(adjustment).rejects('needs-two-people');
  });

  it('was open, and has a reason', () => {
    closed.when(cancel).rejects('round-not-open');
    open.when({ ...cancel, round: 'p2-1' }).rejects('round-not-open');
    for (const reason of ['', '  ', 'x'.repeat(501), 'a\u0000b', '\ud800']) {
      open.when({ ...cancel, reason }).rejects('reason-invalid');
    }
    given(playerDecider, []).when(cancel).rejects('not-registered');
  });
});

it('in any sequence of rounds money is exact, nonces have no gaps and a round ends once', () => {
  const games = ['walk', 'run', 'swim'] as const;
  const step = fc.record({
    game: fc.constantFrom(...games),
    act: fc.constantFrom('start', 'settle', 'void', 'bet'),
    payoutMinor: fc.bigInt(0n, 5_000n),
    elapsedMs: fc.nat(9_000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let state = fold(playerDecider, registered);
      const ended = new Set<string>();
      for (const { game, act, payoutMinor, elapsedMs } of steps) {
        const nonce = state.seeds?.nonce ?? 0;
        const round = openRoundOf(state, game)?.round ?? 'none';
        const { draw: _, tickMs: __, type: ___, ...stake } = { ...start, game, nonce };
        const commands: Readonly<Record<typeof act, PlayerCommand>> = {
          start: { ...start, game, nonce },
          settle: { ...settle, game, round, payoutMinor, elapsedMs },
          void: { ...cancel, round },
          bet: {
            ...stake,
            type: 'PlaceBet',
            draw: () => ({ outcome: {}, payoutMinor }),
            bigWinMultiple: 4,
          },
        };
        const events = playerDecider.decide(state, commands[act]);
        if (isRejection(events)) continue;
        for (const event of events) {
          checkMoney(event, WALLET, state);
          if (event.type === 'BetPlaced') expect(event.data.nonce).toBe(nonce);
          if (['BetWon', 'BetLost', 'BetVoided'].includes(event.type)) {
            const { round: over } = event.data as { round: string };
            expect(ended.has(over)).toBe(false);
            ended.add(over);
          }
          state = playerDecider.evolve(state, event);
        }
      }
      expect(ended.size + openRounds(state).length).toBe(state.rounds);
    }),
  );
});

it('does not change the state of a player without timed rounds', () => {
  expect('timed' in initialPlayer).toBe(false);
  expect('timed' in fold(playerDecider, registered)).toBe(false);
});
