import { MINUTE_MS } from '@reelbook/ledger/calendar';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { fold } from '@reelbook/ledger/decider';
import type { Asset } from '@reelbook/ledger/money';
import type { PlaceBet, PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { BetPlaced, BetWon, PlayerEvent } from '@reelbook/ledger/player/events';
import { notificationOf } from '@reelbook/ledger/player/notice-facts';
import type { ExclusionTerm } from '@reelbook/ledger/player/protection-commands';
import {
  type Limit,
  refuseDepositIntent,
  withDeposit,
} from '@reelbook/ledger/player/protection-state';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection, type Rejection, type RejectionCode } from '@reelbook/ledger/rejections';

const ACTIVE = 'a'.repeat(64);
const NEXT = 'b'.repeat(64);
const POINT_MINOR = 100n;
const TOKEN_MINOR = 1_000_000_000n;
const OWNED = { pointsMinor: 1_000n * POINT_MINOR, tokenMinor: 10n * TOKEN_MINOR };

const REGISTERED: readonly PlayerEvent[] = [
  { type: 'PlayerRegistered', data: { wallet: 'W'.repeat(43), publicId: 'p1' } },
  { type: 'WelcomeGranted', data: { pointsMinor: OWNED.pointsMinor, after: OWNED } },
  { type: 'SeedsCommitted', data: { pair: 1, activeHash: ACTIVE, nextHash: NEXT } },
  { type: 'ClientSeedChanged', data: { pair: 1, clientSeed: 'lucky', by: 'site' } },
];

type Told = readonly PlayerEvent[] | RejectionCode;

/**
 * A player with 1,000 points and 10 BSM, and a clock that only the test moves. Every act is decided at `nowMs`: it gives
 * the events, which are kept, or the code of the refusal, whose figures are in `refusal`. Amounts are whole units.
 */
export function createPlayerStory(
  start: string,
  o: { readonly realityCheckMinutes?: number } = {},
) {
  const realityCheckMs = o.realityCheckMinutes ? o.realityCheckMinutes * MINUTE_MS : null;
  let open: BetPlaced['data'] | null = null;
  const story = {
    nowMs: Date.parse(start),
    state: fold(playerDecider, REGISTERED) as PlayerState,
    events: [...REGISTERED],
    refusal: null as Rejection | null,
    wait(byMs: number) {
      story.nowMs += byMs;
    },

    decide(command: PlayerCommand): Told {
      const decided = playerDecider.decide(story.state, command);
      if (isRejection(decided)) {
        story.refusal = decided;
        return decided.rejected;
      }
      for (const event of decided) keep(event);
      return decided;
    },
    bet: (points: number, payout = 0) =>
      story.decide({ ...betOf(nonce(), points, payout), ...play() }),
    betWithoutTime: (points: number) => story.decide(betOf(nonce(), points, 0)),
    /** The stake of a round that `settle` pays later. @returns whether it was taken. */
    stakeOnly(points: number) {
      const decided = playerDecider.decide(story.state, {
        ...betOf(nonce(), points, 0),
        ...play(),
      });
      if (isRejection(decided)) return false;
      const placed = decided[0] as BetPlaced;
      keep(placed);
      open = placed.data;
      return true;
    },
    settle(points: number, withTime = true) {
      if (!open) throw new Error('no round is open');
      const payoutMinor = BigInt(points) * POINT_MINOR;
      const { round, game, stakeMinor } = open;
      const { pointsMinor, tokenMinor } = story.state;
      const after = { pointsMinor: pointsMinor + payoutMinor, tokenMinor };
      const time = withTime ? { atMs: story.nowMs } : {};
      const data = { round, game, outcome: {}, stakeMinor, payoutMinor, ...time, after };
      keep({ type: 'BetWon', data } satisfies BetWon);
    },
    limit: (kind: Limit['kind'], period: Limit['period'], amount: number | null) =>
      story.decide({ type: 'SetLimit', ...at(), kind, period, amountMinor: minor(kind, amount) }),
    cancel: (kind: Limit['kind'], period: Limit['period']) =>
      story.decide({ type: 'CancelLimitChange', ...at(), kind, period }),
    exclude: (term: ExclusionTerm) => story.decide({ type: 'ExcludeSelf', ...at(), term }),
    checkEvery(minutes: number | null) {
      const everyMs = minutes === null ? null : minutes * MINUTE_MS;
      return story.decide({ type: 'SetRealityCheck', ...at(), everyMs, realityCheckMs });
    },
    acknowledge: () => story.decide({ type: 'AcknowledgeRealityCheck', ...at(), realityCheckMs }),
    login: () =>
      story.decide({ type: 'StartSession', wallet: '', session: 's', registration: null }),
    exchange(fromAsset: Asset, amount: number) {
      const toAsset = fromAsset === 'points' ? 'token' : 'points';
      const amountMinor = BigInt(amount) * (fromAsset === 'points' ? POINT_MINOR : TOKEN_MINOR);
      const terms = { terms: defaultConfig.exchange, play: { ...at(), realityCheckMs: null } };
      return story.decide({ type: 'Exchange', fromAsset, toAsset, amountMinor, ...terms });
    },
    depositIntent(amount: number, onItsWay = 0): RejectionCode | null {
      const asked = { amountMinor: tokenOf(amount), onItsWayMinor: tokenOf(onItsWay) };
      story.refusal = refuseDepositIntent(story.state, { ...asked, timeMs: story.nowMs });
      return story.refusal?.rejected ?? null;
    },
    /** What a credited deposit does to the state. */
    credit(amount: number) {
      const amountMinor = tokenOf(amount);
      const credited = { ...story.state, tokenMinor: story.state.tokenMinor + amountMinor };
      story.state = withDeposit(credited, { tokenMinor: amountMinor, atMs: story.nowMs });
    },
    notifications: () => story.events.flatMap((event) => notificationOf(event) ?? []),
  };
  const at = () => ({ nowMs: story.nowMs });
  const play = () => ({ play: { nowMs: story.nowMs, realityCheckMs } });
  const nonce = () => story.state.seeds?.nonce ?? 0;
  function keep(event: PlayerEvent): void {
    story.state = playerDecider.evolve(story.state, event);
    story.events.push(event);
  }
  return story;
}

const tokenOf = (amount: number) => BigInt(amount) * TOKEN_MINOR;

function minor(kind: Limit['kind'], amount: number | null): bigint | null {
  if (amount === null) return null;
  return BigInt(amount) * (kind === 'deposit' ? TOKEN_MINOR : POINT_MINOR);
}

function betOf(nonce: number, points: number, payout: number): PlaceBet {
  return {
    type: 'PlaceBet',
    game: 'test-game',
    stakeMinor: BigInt(points) * POINT_MINOR,
    lines: 25,
    limits: { enabled: true, minStakeMinor: 100n, maxStakeMinor: 1_000_000n, maxLines: 25 },
    rules: 'test-1',
    pair: 1,
    nonce,
    draw: () => ({ outcome: { shown: 'x' }, payoutMinor: BigInt(payout) * POINT_MINOR }),
    bigWinMultiple: 1_000,
  };
}
