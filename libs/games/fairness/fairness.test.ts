import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hashServerSeed, hashText, recomputeRound, seedMatches } from './commit.ts';
import { createDraws, isServerSeed, type RoundSeeds } from './draw.ts';

/**
 * The published test vectors: `numbers` are the draws below 2^32, `rows` the draws below 10,000.
 */
const VECTORS = [
  {
    serverSeed: '0000000000000000000000000000000000000000000000000000000000000000',
    hash: '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925',
    clientSeed: 'reelbook',
    nonce: 0,
    numbers: [
      2242247672, 2576952775, 2820670431, 1657663998, 1233628417, 987058952, 2736134733, 3974896563,
      630122132, 768634391,
    ],
    rows: [7672, 2775, 431, 3998],
  },
  {
    serverSeed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
    hash: '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
    clientSeed: 'open-book',
    nonce: 7,
    numbers: [
      1216842563, 979151126, 2420705208, 4006939771, 2965376099, 88823901, 80604416, 378140772,
      3790911646, 2565755524,
    ],
    rows: [2563, 1126, 5208, 9771],
  },
  {
    serverSeed: '9f3ac41e9f3ac41e9f3ac41e9f3ac41e9f3ac41e9f3ac41e9f3ac41e9f3ac41e',
    hash: 'ce8e6941fb1b84e02615cb28e6f7bc6b1818b8b6aec4f8ebfa5d04c5e2e092b6',
    clientSeed: 'x',
    nonce: 123456,
    numbers: [
      2160520436, 1742740643, 3533609699, 2846483062, 1944333405, 1147181894, 481825306, 1561846704,
      2595623317, 600365101,
    ],
    rows: [436, 643, 9699, 3062],
  },
] as const;
const [ZERO, , LAST] = VECTORS;

/** A second implementation of the published rule, with another library. */
function numbersByNode({ serverSeed, clientSeed, nonce }: RoundSeeds, count: number): number[] {
  const numbers: number[] = [];
  for (let cursor = 0; numbers.length < count; cursor++) {
    const hex = createHmac('sha256', Buffer.from(serverSeed, 'hex'))
      .update(`${clientSeed}:${nonce}:${cursor}`, 'utf8')
      .digest('hex');
    for (let i = 0; i < 64; i += 8) numbers.push(Number.parseInt(hex.slice(i, i + 8), 16));
  }
  return numbers.slice(0, count);
}

function take(seeds: RoundSeeds, n: number, count: number): number[] {
  const draws = createDraws(seeds);
  return Array.from({ length: count }, () => draws.below(n));
}

const hex64 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((b) => Buffer.from(b).toString('hex'));
const seeds = fc.record({
  serverSeed: hex64,
  clientSeed: fc.stringMatching(/^[\x21-\x39\x3b-\x7e]{1,64}$/),
  nonce: fc.nat(),
});

describe('commit', () => {
  test.each(VECTORS)('hashes the bytes of $serverSeed', ({ serverSeed, hash }) => {
    expect(hashServerSeed(serverSeed)).toBe(hash);
    const byNode = createHash('sha256').update(Buffer.from(serverSeed, 'hex')).digest('hex');
    expect(hash).toBe(byNode);
  });

  test('hashes a text as its UTF-8 bytes', () => {
    expect(hashText('三 coins')).toBe(
      createHash('sha256').update('三 coins', 'utf8').digest('hex'),
    );
  });

  test.each([
    '',
    '0'.repeat(63),
    '0'.repeat(65),
    'A'.repeat(64),
    'g'.repeat(64),
    `${'0'.repeat(64)}\n`,
  ])('refuses %j as a server seed', (text) => {
    expect(isServerSeed(text)).toBe(false);
    expect(() => hashServerSeed(text)).toThrow(RangeError);
    expect(seedMatches(text, hashText(text))).toBe(false);
  });
});

describe('draws', () => {
  test.each(VECTORS)('follow the published vector of $clientSeed:$nonce', (vector) => {
    expect(take(vector, 2 ** 32, 10)).toEqual(vector.numbers);
    expect(take(vector, 10_000, 4)).toEqual(vector.rows);
    expect(numbersByNode(vector, 10)).toEqual(vector.numbers);
  });

  test('equal the rule written with node:crypto, over many blocks', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: 1, max: 40 }), (round, count) => {
        expect(take(round, 2 ** 32, count)).toEqual(numbersByNode(round, count));
      }),
      { numRuns: 50 },
    );
  });

  test('discard the numbers that would favour small results', () => {
    const fair = 3_000_000_000;
    const all = numbersByNode(ZERO, 10);
    const kept = all.filter((value) => value < fair);
    expect(kept.length).toBeLessThan(all.length);
    expect(take(ZERO, fair, kept.length)).toEqual(kept);
  });

  test('consume a number even below 1', () => {
    const draws = createDraws(ZERO);
    expect(draws.below(1)).toBe(0);
    expect(draws.below(2 ** 32)).toBe(numbersByNode(ZERO, 2)[1]);
  });

  test('refuse what the rule does not define', () => {
    expect(() => createDraws({ ...ZERO, clientSeed: 'a:1' })).toThrow(RangeError);
    for (const nonce of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => createDraws({ ...ZERO, nonce })).toThrow(RangeError);
    }
    for (const n of [0, -1, 1.5, 2 ** 32 + 1, Number.NaN]) {
      expect(() => createDraws(ZERO).below(n)).toThrow(RangeError);
    }
  });
});

describe('verify', () => {
  test('a seed matches its own hash and no other', () => {
    fc.assert(
      fc.property(hex64, hex64, (one, other) => {
        expect(seedMatches(one, hashServerSeed(one))).toBe(true);
        expect(seedMatches(one, hashServerSeed(other))).toBe(one === other);
      }),
    );
  });

  test('a round is recomputed only from the committed seed', () => {
    const serverSeedHash = hashServerSeed(ZERO.serverSeed);
    const play = (draws: { below(n: number): number }) => draws.below(10_000);
    expect(recomputeRound({ ...ZERO, serverSeedHash }, play)).toEqual({ result: 7672 });
    const other = { ...ZERO, serverSeed: LAST.serverSeed, serverSeedHash };
    expect(recomputeRound(other, play)).toBeNull();
  });
});

describe('200,000 draws, two per round', () => {
  const ROUNDS = 100_000;
  const first: number[] = [];
  const second: number[] = [];
  for (let nonce = 0; nonce < ROUNDS; nonce++) {
    const draws = createDraws({ ...LAST, nonce });
    first.push(draws.below(10_000));
    second.push(draws.below(24));
  }

  test('fall evenly: chi-square at the 99 % level', () => {
    expect(
      chiSquare(
        first.map((v) => Math.floor(v / 100)),
        100,
      ),
    ).toBeLessThan(134.64);
    expect(
      chiSquare(
        first.map((v) => v % 100),
        100,
      ),
    ).toBeLessThan(134.64);
    expect(chiSquare(second, 24)).toBeLessThan(41.64);
    const together = first.map((v, i) => Math.floor(v / 2500) * 24 + (second[i] ?? 0));
    expect(chiSquare(together, 96)).toBeLessThan(129.97);
  });

  test('come in no order: runs above and below the middle at the 99 % level', () => {
    expect(Math.abs(runsScore(first.map((v) => v >= 5000)))).toBeLessThan(2.576);
    expect(Math.abs(runsScore(second.map((v) => v >= 12)))).toBeLessThan(2.576);
  });
});

function chiSquare(values: readonly number[], classes: number): number {
  const counts = new Array<number>(classes).fill(0);
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  const expected = values.length / classes;
  return counts.reduce((total, count) => total + (count - expected) ** 2 / expected, 0);
}

/** Wald and Wolfowitz: how many standard deviations the number of runs is from its mean. */
function runsScore(values: readonly boolean[]): number {
  const above = values.filter(Boolean).length;
  const below = values.length - above;
  const runs = values.filter((value, i) => i === 0 || value !== values[i - 1]).length;
  const product = 2 * above * below;
  const mean = product / values.length + 1;
  const variance =
    (product * (product - values.length)) / (values.length ** 2 * (values.length - 1));
  return (runs - mean) / Math.sqrt(variance);
}
