import { decode, encode } from '@reelbook/ledger/codec';
import { dice } from '@reelbook/testing/dice';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRound, type PlayedRound } from './check.ts';
import { choicesOf } from './choice.ts';
import { hashServerSeed } from './fairness/commit.ts';
import { createDraws } from './fairness/draw.ts';
import { games } from './rules.ts';

const ALL = [...games, dice];
const find = (id: string) => ALL.find((game) => game.id === id) ?? null;

interface Played {
  readonly round: PlayedRound;
  readonly serverSeed: string;
}

/**
 * A round of any registered game as read from the ledger: encoded and decoded.
 */
const played: fc.Arbitrary<Played> = fc
  .record({
    game: fc.constantFrom(...ALL),
    serverSeed: fc
      .uint8Array({ minLength: 32, maxLength: 32 })
      .map((bytes) => Buffer.from(bytes).toString('hex')),
    clientSeed: fc.stringMatching(/^[\x21-\x39\x3b-\x7e]{1,64}$/),
    nonce: fc.nat(),
    stakeMinor: fc.integer({ min: 1, max: 1_000 }).map((bet) => BigInt(bet) * 100n),
    lines: fc.integer({ min: 1, max: 25 }),
    pick: fc.nat(),
  })
  .map(({ game, serverSeed, pick, ...bet }) => {
    const rules = game.rulesIds[pick % game.rulesIds.length] ?? '';
    const draws = createDraws({ ...bet, serverSeed });
    const serverSeedHash = hashServerSeed(serverSeed);
    const choices = choicesOf(game);
    const choice = choices[pick % choices.length];
    const drawn = game.draw({ ...bet, rules, choice, draws });
    const round = {
      ...bet,
      ...(choice && { choice }),
      ...drawn,
      game: game.id,
      rules,
      serverSeedHash,
    };
    return { round: decode<PlayedRound>(encode(round)), serverSeed };
  });

function faultOf(round: PlayedRound, serverSeed: string): string {
  const check = checkRound(round, serverSeed, find);
  return check.ok ? 'none' : check.fault;
}

describe('checkRound', () => {
  test('passes for every round that was drawn', () => {
    fc.assert(
      fc.property(played, ({ round, serverSeed }) => {
        expect(faultOf(round, serverSeed)).toBe('none');
      }),
    );
  });

  test('finds a payout that is off by one hundredth', () => {
    fc.assert(
      fc.property(played, fc.constantFrom(1n, -1n), ({ round, serverSeed }, byMinor) => {
        const tampered = { ...round, payoutMinor: round.payoutMinor + byMinor };
        expect(faultOf(tampered, serverSeed)).toBe('payout-differs');
      }),
    );
  });

  test('finds any field of the outcome that was changed, removed or added', () => {
    fc.assert(
      fc.property(played, fc.nat(), ({ round, serverSeed }, pick) => {
        const keys = Object.keys(round.outcome);
        const key = keys[pick % keys.length] ?? '';
        const { [key]: was, ...rest } = round.outcome;
        const others = [rest, { ...round.outcome, extra: 1 }, { ...rest, [key]: [was] }];
        for (const outcome of others) {
          expect(faultOf({ ...round, outcome }, serverSeed)).toBe('outcome-differs');
        }
      }),
    );
  });

  test('ignores the order of the keys', () => {
    fc.assert(
      fc.property(played, ({ round, serverSeed }) => {
        const outcome = Object.fromEntries(Object.entries(round.outcome).reverse());
        expect(faultOf({ ...round, outcome }, serverSeed)).toBe('none');
      }),
    );
  });

  test('finds a seed that was not committed to, and rules and games that do not exist', () => {
    fc.assert(
      fc.property(played, played, ({ round, serverSeed }, other) => {
        fc.pre(serverSeed !== other.serverSeed);
        expect(faultOf(round, other.serverSeed)).toBe('seed-not-committed');
        expect(faultOf(round, 'no seed')).toBe('seed-not-committed');
        expect(faultOf({ ...round, rules: 'slot-0' }, serverSeed)).toBe('unknown-rules');
        expect(faultOf({ ...round, game: 'roulette' }, serverSeed)).toBe('unknown-game');
      }),
    );
  });

  test('finds rounds whose nonce or client seed was changed, except rare equal outcomes', () => {
    fc.assert(
      fc.property(fc.array(played, { minLength: 40, maxLength: 40 }), (rounds) => {
        const moved = rounds.map(({ round, serverSeed }) => [
          faultOf({ ...round, nonce: round.nonce + 1 }, serverSeed),
          faultOf({ ...round, clientSeed: `${round.clientSeed}~` }, serverSeed),
        ]);
        expect(moved.flat().filter((fault) => fault !== 'none').length).toBeGreaterThan(60);
      }),
      { numRuns: 10 },
    );
  });

  test('returns the correct draw', () => {
    fc.assert(
      fc.property(played, ({ round, serverSeed }) => {
        const check = checkRound({ ...round, payoutMinor: -1n }, serverSeed, find);
        expect(check.ok).toBe(false);
        const { outcome, payoutMinor } = round;
        expect(check.drawn).toEqual({ outcome, payoutMinor });
      }),
    );
  });
});

test('finds a choice that the game does not have, and one with another payout', () => {
  const serverSeed = '7c'.repeat(32);
  const bet = { serverSeed, clientSeed: 'choice', nonce: 3, stakeMinor: 1_000n, lines: 1 };
  const of = { rules: 'test-dice-1', choice: { over: 2 } };
  const drawn = dice.draw({ ...bet, ...of, draws: createDraws(bet) });
  expect(drawn.payoutMinor).toBe(1_010n);
  const serverSeedHash = hashServerSeed(serverSeed);
  const round = { ...bet, ...of, ...drawn, game: 'test-dice', serverSeedHash };
  expect(faultOf(round, serverSeed)).toBe('none');
  expect(faultOf({ ...round, choice: { over: 3 } }, serverSeed)).toBe('payout-differs');
  expect(faultOf({ ...round, choice: { over: 1 } }, serverSeed)).toBe('wrong-choice');
  expect(faultOf({ ...round, choice: undefined }, serverSeed)).toBe('wrong-choice');
  const slot = { ...round, game: 'slot-machine', rules: 'slot-1' };
  expect(faultOf(slot, serverSeed)).toBe('wrong-choice');
});
