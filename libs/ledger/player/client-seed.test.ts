import { expect, it } from 'vitest';
import { fold } from '../decider.ts';
import { isRejection } from '../rejections.ts';
import type { PlayerCommand } from './commands.ts';
import { playerDecider } from './decide.ts';
import type { PlayerEvent } from './events.ts';
import { unreadOf } from './notices.ts';
import { clientSeedBy, type PlayerState } from './state.ts';

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(64)) as [
  string,
  string,
  string,
  string,
];
const after = { pointsMinor: 10_000n, tokenMinor: 0n };
const registered: readonly PlayerEvent[] = [
  { type: 'PlayerRegistered', data: { wallet: 'W'.repeat(43), publicId: 'p1' } },
  { type: 'WelcomeGranted', data: { pointsMinor: 10_000n, after, notice: { n: 1, unread: 1 } } },
  { type: 'SeedsCommitted', data: { pair: 1, activeHash: A, nextHash: B } },
  { type: 'ClientSeedChanged', data: { pair: 1, clientSeed: 'drawn', by: 'site' } },
];
const bet: PlayerCommand = {
  type: 'PlaceBet',
  game: 'test-game',
  stakeMinor: 1_000n,
  lines: 25,
  limits: { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 },
  rules: 'test-1',
  pair: 1,
  nonce: 0,
  draw: () => ({ outcome: {}, payoutMinor: 0n }),
  bigWinMultiple: 4,
};

function stateAfter(...commands: readonly PlayerCommand[]): PlayerState {
  const next = (state: PlayerState, command: PlayerCommand) => {
    const decided = playerDecider.decide(state, command);
    if (isRejection(decided)) throw new Error(decided.rejected);
    return fold(playerDecider, decided, state);
  };
  return commands.reduce(next, fold(playerDecider, registered));
}

const rotate = (by: 'player' | 'site'): PlayerCommand => ({
  type: 'RotateSeeds',
  serverSeedHash: A,
  serverSeed: D,
  nextHash: C,
  clientSeed: { text: 'chosen', by },
});

const seedBy = ({ seeds }: PlayerState) => seeds && clientSeedBy(seeds);

it('a client seed of the site looked like one of the player', () => {
  expect(seedBy(stateAfter())).toBe('site');
  expect(seedBy(stateAfter(rotate('player')))).toBe('player');
  expect(seedBy(stateAfter(rotate('site')))).toBe('site');
});

it('a pair without a round was announced for verification', () => {
  expect(unreadOf(stateAfter(rotate('player')))).toBe(1);
  expect(unreadOf(stateAfter(bet, rotate('player')))).toBe(2);
});
