import { MINUTE_MS } from '@reelbook/ledger/calendar';
import { type Decider, fold, type LedgerEvent } from '@reelbook/ledger/decider';
import type { Asset } from '@reelbook/ledger/money';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import { notificationOf } from '@reelbook/ledger/player/notice-facts';
import type { ExclusionTerm } from '@reelbook/ledger/player/protection-events';
import {
  type Limit,
  refuseDepositIntent,
  withDeposit,
} from '@reelbook/ledger/player/protection-state';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection, type RejectionCode } from '@reelbook/ledger/rejections';
import { expect } from 'vitest';
import { betCommand, endCommand, exchangeCommand, startCommand } from './commands.ts';

/**
 * What a decider does, in the order in which it happens:
 * `given(player, [registered]).when(placeBet).yields([betPlaced, betLost])`.
 */
export function given<S, C, E extends LedgerEvent>(
  decider: Decider<S, C, E>,
  history: readonly E[],
) {
  const state = fold(decider, history);
  return {
    when(command: C) {
      const decided = decider.decide(state, command);
      return {
        /** Exactly these events, in this order. */
        yields(events: readonly E[]) {
          expect(decided).toEqual(events);
        },
        rejects(code: RejectionCode) {
          expect(isRejection(decided) ? decided.rejected : decided).toBe(code);
        },
        /** The state after the decided events. */
        state(): S {
          if (isRejection(decided)) throw new Error(`rejected: ${decided.rejected}`);
          return fold(decider, decided, state);
        },
      };
    },
  };
}

const POINT_MINOR = 100n;
const TOKEN_MINOR = 1_000_000_000n;
const OWNED = { pointsMinor: 1_000n * POINT_MINOR, tokenMinor: 10n * TOKEN_MINOR };
const GAME = { game: 'test-game', bigWinMultiple: 1_000 };

const REGISTERED: readonly PlayerEvent[] = [
  { type: 'PlayerRegistered', data: { wallet: 'W'.repeat(43), publicId: 'p1' } },
  { type: 'WelcomeGranted', data: { pointsMinor: OWNED.pointsMinor, after: OWNED } },
  {
    type: 'SeedsCommitted',
    data: { pair: 1, activeHash: 'a'.repeat(64), nextHash: 'b'.repeat(64) },
  },
  { type: 'ClientSeedChanged', data: { pair: 1, clientSeed: 'lucky', by: 'site' } },
];

/**
 * A player with 1,000 points and 10 BSM, and a clock that only the test moves. Every act is decided at `nowMs`: it gives
 * the events, which are kept, or the code of the refusal, whose figures are in `refusal`. Amounts are in units, not minor units.
 */
export function givenPlayer(start: string, o: { readonly realityCheckMinutes?: number } = {}) {
  const realityCheckMs = o.realityCheckMinutes ? o.realityCheckMinutes * MINUTE_MS : null;
  const player = {
    nowMs: Date.parse(start),
    state: fold(playerDecider, REGISTERED) as PlayerState,
    events: [...REGISTERED],
    refusal: null as Rejection | null,
    wait(byMs: number) {
      player.nowMs += byMs;
    },
    /** An event as it is, decided by an older version. */
    happened(event: PlayerEvent) {
      player.state = playerDecider.evolve(player.state, event);
      player.events.push(event);
    },
    decide(command: PlayerCommand): readonly PlayerEvent[] | RejectionCode {
      const decided = playerDecider.decide(player.state, command);
      if (isRejection(decided)) {
        player.refusal = decided;
        return decided.rejected;
      }
      decided.forEach(player.happened);
      return decided;
    },
    bet: (points: number, payout = 0) => player.decide({ ...betOf(points, payout), ...play() }),
    betWithoutTime: (points: number) => player.decide(betOf(points, 0)),
    /** The stake of a round that `settle` pays later. */
    stakeOnly: (points: number) =>
      player.decide(
        startCommand(player.state, { ...GAME, ...stakeOf(points), ...play(), ticks: 1 }),
      ),
    settle: (points: number) =>
      player.decide(
        endCommand(player.state, { ...GAME, payoutMinor: pointsOf(points), ...play() }),
      ),
    limit: (kind: Limit['kind'], period: Limit['period'], amount: number | null) =>
      player.decide({ type: 'SetLimit', ...at(), kind, period, amountMinor: minor(kind, amount) }),
    cancel: (kind: Limit['kind'], period: Limit['period']) =>
      player.decide({ type: 'CancelLimitChange', ...at(), kind, period }),
    exclude: (term: ExclusionTerm) => player.decide({ type: 'ExcludeSelf', ...at(), term }),
    checkEvery(minutes: number | null) {
      const everyMs = minutes === null ? null : minutes * MINUTE_MS;
      return player.decide({ type: 'SetRealityCheck', ...at(), everyMs, realityCheckMs });
    },
    acknowledge: () => player.decide({ type: 'AcknowledgeRealityCheck', ...at(), realityCheckMs }),
    login: () =>
      player.decide({ type: 'StartSession', wallet: '', session: 's', registration: null }),
    exchange(fromAsset: Asset, amount: number) {
      const amountMinor = fromAsset === 'points' ? pointsOf(amount) : tokenOf(amount);
      const time = { play: { ...at(), realityCheckMs: null } };
      return player.decide({ ...exchangeCommand(fromAsset, amountMinor), ...time });
    },
    depositIntent(amount: number, onItsWay = 0): RejectionCode | null {
      const intent = { amountMinor: tokenOf(amount), onItsWayMinor: tokenOf(onItsWay) };
      player.refusal = refuseDepositIntent(player.state, { ...intent, timeMs: player.nowMs });
      return player.refusal?.rejected ?? null;
    },
    /** What a credited deposit does to the state. */
    credit(amount: number) {
      const amountMinor = tokenOf(amount);
      const credited = { ...player.state, tokenMinor: player.state.tokenMinor + amountMinor };
      player.state = withDeposit(credited, { tokenMinor: amountMinor, atMs: player.nowMs });
    },
    notifications: () => player.events.flatMap((event) => notificationOf(event) ?? []),
  };
  const at = () => ({ nowMs: player.nowMs });
  const play = () => ({ play: { nowMs: player.nowMs, realityCheckMs } });
  const betOf = (points: number, payout: number) =>
    betCommand(player.state, {
      ...GAME,
      ...stakeOf(points),
      rules: 'test-1',
      draw: () => ({ outcome: { shown: 'x' }, payoutMinor: pointsOf(payout) }),
    });
  return player;
}

const pointsOf = (amount: number) => BigInt(amount) * POINT_MINOR;
const tokenOf = (amount: number) => BigInt(amount) * TOKEN_MINOR;
const stakeOf = (points: number) => ({ stakeMinor: pointsOf(points) });

function minor(kind: Limit['kind'], amount: number | null): bigint | null {
  if (amount === null) return null;
  return kind === 'deposit' ? tokenOf(amount) : pointsOf(amount);
}
