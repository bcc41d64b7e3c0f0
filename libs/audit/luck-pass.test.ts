import type { AnyEvent } from '@reelbook/ledger/events';
import { expect, test } from 'vitest';
import { LuckPass } from './luck-pass.ts';

const PLAYER = 'ann';

function placed(game: string, rules: string, round: number): AnyEvent {
  const data = { round: `ann-${round}`, game, rules, stakeMinor: 1_000n };
  return { type: 'BetPlaced', data } as unknown as AnyEvent;
}

function ended(type: 'BetWon' | 'BetLost' | 'BetVoided', game: string, round: number): AnyEvent {
  const data = { round: `ann-${round}`, game, stakeMinor: 1_000n, payoutMinor: 1_500n };
  return { type, data } as unknown as AnyEvent;
}

function passOver(...events: readonly AnyEvent[]): LuckPass {
  const pass = new LuckPass();
  for (const event of events) pass.next({ event, owner: PLAYER });
  return pass;
}

test('names a player whose losing rounds an operator voids', () => {
  const rounds = Array.from({ length: 180 }, (_, n) => [
    placed('tetris', 'tetris-1', n),
    // Two of three are lost, and voided.
    ended(n % 3 === 0 ? 'BetWon' : 'BetVoided', 'tetris', n),
  ]);
  expect(passOver(...rounds.flat()).report().named).toMatchObject([{ player: PLAYER, rounds: 60 }]);
  const lost = rounds.map(([bet, end], n) => [
    bet as AnyEvent,
    end?.type === 'BetVoided' ? ended('BetLost', 'tetris', n) : (end as AnyEvent),
  ]);
  expect(passOver(...lost.flat()).report().named).toEqual([]);
});

test('ignores unknown rules and rounds that are not open', () => {
  const report = passOver(
    placed('slot-machine', 'slot-99', 1),
    ended('BetWon', 'slot-machine', 1),
    ended('BetWon', 'slot-machine', 2),
  ).report();
  expect(report).toEqual({ players: 0, count: 0, named: [] });
});
