import { createHash } from 'node:crypto';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildTree, createRootFold, isIncluded, leafHash, nodeHash, rootOf } from './merkle.ts';

/** The test vectors of the reference implementations of Certificate Transparency. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => hexToBytes(hex));
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const PATHS = [
  {
    index: 0,
    size: 8,
    siblings: [
      '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4',
    ],
  },
  {
    index: 5,
    size: 8,
    siblings: [
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ],
  },
  {
    index: 2,
    size: 3,
    siblings: ['fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125'],
  },
  {
    index: 1,
    size: 5,
    siblings: [
      '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
      '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e',
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
    ],
  },
];

/** The definition of RFC 6962, section 2.1, with another library. */
function rootByDefinition(leaves: readonly Uint8Array[]): Buffer {
  const sha = (...parts: readonly Uint8Array[]) => {
    const digest = createHash('sha256');
    for (const part of parts) digest.update(part);
    return digest.digest();
  };
  if (leaves.length === 0) return sha();
  if (leaves.length === 1) return sha(Buffer.of(0), leaves[0] as Uint8Array);
  let k = 1;
  while (k * 2 < leaves.length) k *= 2;
  const [left, right] = [leaves.slice(0, k), leaves.slice(k)];
  return sha(Buffer.of(1), rootByDefinition(left), rootByDefinition(right));
}

const data = fc.uint8Array({ maxLength: 40 });
const someLeaves = fc.array(data, { minLength: 1, maxLength: 70 });
const placed = someLeaves.chain((leaves) =>
  fc.record({ leaves: fc.constant(leaves), index: fc.nat(leaves.length - 1) }),
);

describe('the known vectors', () => {
  test.each(ROOTS.map((root, i) => [i + 1, root] as const))('%d leaves', (size, root) => {
    const leaves = LEAVES.slice(0, size);
    expect(bytesToHex(buildTree(leaves).root)).toBe(root);
    const fold = createRootFold();
    for (const leaf of leaves) fold.push(leaf);
    expect(bytesToHex(fold.root())).toBe(root);
    expect(rootByDefinition(leaves).toString('hex')).toBe(root);
  });

  test.each(PATHS)('the path of leaf $index of $size', ({ index, size, siblings }) => {
    const proof = buildTree(LEAVES.slice(0, size)).proof(index);
    expect(proof.map(bytesToHex)).toEqual(siblings);
  });

  test('the root of an empty tree', () => {
    const none = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
    expect(bytesToHex(createRootFold().root())).toBe(none);
    expect(() => buildTree([])).toThrow(RangeError);
  });
});

describe('any tree', () => {
  test('has the root of the definition, built in one step or leaf by leaf', () => {
    fc.assert(
      fc.property(someLeaves, (leaves) => {
        const root = rootByDefinition(leaves).toString('hex');
        const fold = createRootFold();
        for (const leaf of leaves) fold.push(leaf);
        expect(fold.size).toBe(leaves.length);
        expect(bytesToHex(fold.root())).toBe(root);
        expect(bytesToHex(buildTree(leaves).root)).toBe(root);
      }),
    );
  });

  test('proves each of its leaves, and nothing else at that position', () => {
    fc.assert(
      fc.property(placed, data, ({ leaves, index }, other) => {
        const { root, size, proof } = buildTree(leaves);
        const leaf = leaves[index] as Uint8Array;
        const inclusion = { index, size, siblings: proof(index) };
        expect(isIncluded(leaf, inclusion, root)).toBe(true);
        const same = bytesToHex(other) === bytesToHex(leaf);
        expect(isIncluded(other, inclusion, root)).toBe(same);
      }),
    );
  });

  test('does not prove with a sibling changed, removed or added, nor at another position', () => {
    fc.assert(
      fc.property(placed, fc.nat(), fc.nat(255), ({ leaves, index }, nth, bit) => {
        const { root, size, proof } = buildTree(leaves);
        const leaf = leaves[index] as Uint8Array;
        const siblings = proof(index);
        const isIncludedWith = (change: object) =>
          isIncluded(leaf, { index, size, siblings, ...change }, root);
        expect(isIncludedWith({ siblings: [...siblings, new Uint8Array(32)] })).toBe(false);
        expect(isIncludedWith({ index: size })).toBe(false);
        expect(isIncludedWith({ index: -1 })).toBe(false);
        if (siblings.length === 0) return;
        expect(isIncludedWith({ siblings: siblings.slice(1) })).toBe(false);
        const at = nth % siblings.length;
        const bent = siblings.map((one, i) => (i === at ? flip(one, bit) : one));
        expect(isIncludedWith({ siblings: bent })).toBe(false);
        expect(isIncludedWith({ siblings: siblings.map((one) => one.slice(1)) })).toBe(false);
      }),
    );
  });

  test('does not accept a node as a leaf', () => {
    const [a, b] = [leafHash(Buffer.of(1)), leafHash(Buffer.of(2))];
    const joined = Buffer.concat([a, b]);
    expect(bytesToHex(leafHash(joined))).not.toBe(bytesToHex(nodeHash(a, b)));
  });

  test.each([
    { index: 0.5, size: 3 },
    { index: 0, size: 0 },
    { index: 0, size: 2 ** 31 },
    { index: Number.NaN, size: 1 },
  ])('has no position $index of $size', ({ index, size }) => {
    expect(rootOf(Buffer.of(1), { index, size, siblings: [] })).toBeNull();
    expect(() => buildTree(LEAVES).proof(index + size + 8)).toThrow(RangeError);
  });
});

function flip(bytes: Uint8Array, bit: number): Uint8Array {
  const copy = Uint8Array.from(bytes);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}
