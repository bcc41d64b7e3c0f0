import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { bytesOf, plainBelow, plainHash, plainNumbers } from '@reelbook/testing/plain-draws';
import { makeVectors, VECTORS_FILE } from '@reelbook/testing/vectors';
import { describe, expect, test } from 'vitest';
import { games } from '../rules.ts';
import { checkReceipt } from './check-receipt.ts';

/**
 * docs/fairness.md implemented a second time, with node:crypto and none of our code (libs/testing/plain-draws.ts; timed
 * games: timed-vectors.test.ts): a reader of that page can check the site in any language.
 */
type Vectors = ReturnType<typeof makeVectors>;
const vectors = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as Vectors;

const [sha256, bytes, below] = [plainHash, bytesOf, plainBelow];
const numbersOf = (seed: string, client: string, nonce: number) =>
  plainNumbers(seed, (block) => `${client}:${nonce}:${block}`);

test('this build produces the published vectors of every game under all its rules', () => {
  expect(vectors).toEqual(JSON.parse(JSON.stringify(makeVectors())));
  const published = new Set(vectors.rounds.map(({ game, rules }) => `${game} ${rules}`));
  const registered = games.flatMap(({ id, rulesIds }) => rulesIds.map((rules) => `${id} ${rules}`));
  expect([...published]).toEqual(registered);
});

test.each(vectors.rules)('the text of $rules', ({ game, rules, rules_hash, text }) => {
  expect(sha256(Buffer.from(text, 'utf8')).toString('hex')).toBe(rules_hash);
  const played = vectors.rounds.filter((round) => round.game === game && round.rules === rules);
  expect(new Set(played.map((round) => round.rules_hash))).toEqual(new Set([rules_hash]));
});

test.each(vectors.draws)('draws of $client_seed:$nonce', (vector) => {
  const { server_seed: seed, client_seed: client, nonce } = vector;
  expect(sha256(bytes(seed)).toString('hex')).toBe(vector.server_seed_hash);
  const numbers = numbersOf(seed, client, nonce);
  expect(vector.numbers.map(() => numbers.next().value)).toEqual(vector.numbers);
  const again = numbersOf(seed, client, nonce);
  expect(vector.below_10000.map(() => below(again, 10_000))).toEqual(vector.below_10000);
});

describe('rounds of the slot machine', () => {
  /** The table of the page: name, weight, halves of the stake. */
  const weights = {
    'slot-1': [8, 35, 110, 200, 300, 600, 900, 1400, 6447],
    'slot-2': [8, 35, 110, 175, 300, 600, 925, 1400, 6447],
  } as const;
  const halves = [50, 24, 16, 12, 8, 6, 4, 3, 0];
  const triples = [1, 2, 3, 4].flatMap((a) =>
    [1, 2, 3, 4].flatMap((b) => [1, 2, 3, 4].map((c) => [a, b, c])),
  );
  /** The row of three symbols: 0-3 three alike, 4-7 two alike, 8 none. */
  const rowOf = (shown: readonly number[]) => {
    const [symbol, count] = [1, 2, 3, 4]
      .map((one) => [one, shown.filter((other) => other === one).length] as const)
      .reduce((best, one) => (one[1] > best[1] ? one : best));
    return count === 1 ? 8 : symbol - 1 + (count === 2 ? 4 : 0);
  };
  const played = vectors.rounds.filter(({ game }) => game === 'slot-machine');
  test.each(played)('$rules, nonce $nonce', (round) => {
    const numbers = numbersOf(round.server_seed, round.client_seed, round.nonce);
    let left = below(numbers, 10_000);
    const row = weights[round.rules as 'slot-1'].findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    const shows = triples.filter((shown) => rowOf(shown) === row);
    const symbols = shows[below(numbers, shows.length)];
    const payoutMinor = (BigInt(round.stake_minor) * BigInt(halves[row] ?? 0)) / 2n;
    expect(round.outcome).toMatchObject({ symbols });
    expect(round.payout_minor).toBe(String(payoutMinor));
  });
});

describe.each(vectors.merkle)('the tree of $leaves.length leaves', ({ leaves, root, proofs }) => {
  test('proves each leaf by the steps of the page', () => {
    leaves.forEach((leaf, index) => {
      let hash = sha256(Buffer.of(0), bytes(leaf));
      let [place, last] = [index, leaves.length - 1];
      const siblings = [...(proofs[index] ?? [])];
      while (last > 0) {
        const alone = place % 2 === 0 && place === last;
        if (!alone) {
          const sibling = bytes(siblings.shift() ?? '');
          hash =
            place % 2 ? sha256(Buffer.of(1), sibling, hash) : sha256(Buffer.of(1), hash, sibling);
        }
        [place, last] = [Math.floor(place / 2), Math.floor(last / 2)];
      }
      expect(siblings).toEqual([]);
      expect(hash.toString('hex')).toBe(root);
    });
  });
});

describe('the receipt', () => {
  const { receipt, public_key, signed_text } = vectors.receipt;
  test('is signed with ed25519 over its canonical text', () => {
    const sorted = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(sorted);
      const keys = Object.keys(value).sort();
      return Object.fromEntries(keys.map((key) => [key, sorted(value[key as keyof typeof value])]));
    };
    const { signature, ...body } = receipt;
    expect(`reelbook-receipt-2\n${JSON.stringify(sorted(body))}`).toBe(signed_text);
    const der = Buffer.concat([bytes('302a300506032b6570032100'), bytes(public_key)]);
    const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
    expect(verify(null, Buffer.from(signed_text), key, bytes(signature.value))).toBe(true);
  });
  test('passes every check, and its chain follows', () => {
    const checks = checkReceipt(receipt, public_key);
    expect(checks.filter(({ state }) => state !== 'passes')).toEqual([]);
    for (const { previous_hash, body, hash } of receipt.events) {
      expect(sha256(bytes(previous_hash), body).toString('hex')).toBe(hash);
    }
  });
});
