import { sha256 } from '@noble/hashes/sha2.js';

/**
 * Merkle trees as RFC 6962 (Certificate Transparency) defines them: a leaf is SHA-256(0x00 || data), a node is
 * SHA-256(0x01 || left || right), and n leaves split at the largest power of two below n. The prefixes distinguish nodes
 * from leaves.
 */
const LEAF = 0x00;
const NODE = 0x01;
const HASH_BYTES = 32;

/** More leaves than any seal has; indexes stay within 32-bit arithmetic. */
const LEAVES_MAX = 2 ** 30;

/** `sha256`, or a faster implementation of it. */
type Sha256 = (bytes: Uint8Array) => Uint8Array;

/** The hash of a leaf's data. */
export function leafHash(data: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  const bytes = new Uint8Array(1 + data.length);
  bytes[0] = LEAF;
  bytes.set(data, 1);
  return hash(bytes);
}

/** The hash of two subtrees of 32 bytes each. */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: Sha256 = sha256): Uint8Array {
  const bytes = new Uint8Array(1 + 2 * HASH_BYTES);
  bytes[0] = NODE;
  bytes.set(left, 1);
  bytes.set(right, 1 + HASH_BYTES);
  return hash(bytes);
}

/** The root over leaves that are added one by one. Stores one hash per level, so any number fits into memory. */
export interface RootFold {
  readonly size: number;
  push(data: Uint8Array): void;
  /** The root of the leaves so far; of none, SHA-256 of the empty text. */
  root(): Uint8Array;
}

export function createRootFold(hash: Sha256 = sha256): RootFold {
  /** Roots of complete subtrees, the largest first; their sizes are the set bits of `size`. */
  const complete: Uint8Array[] = [];
  let size = 0;
  return {
    get size() {
      return size;
    },
    push(data) {
      if (size >= LEAVES_MAX) throw new RangeError(`a tree has at most ${LEAVES_MAX} leaves`);
      let root = leafHash(data, hash);
      for (let bits = size; bits % 2 === 1; bits = Math.floor(bits / 2)) {
        root = nodeHash(complete.pop() as Uint8Array, root, hash);
      }
      complete.push(root);
      size++;
    },
    root() {
      const [last, ...others] = [...complete].reverse();
      if (!last) return hash(new Uint8Array(0));
      return others.reduce((right, left) => nodeHash(left, right, hash), last);
    },
  };
}

/** A complete tree in memory, for proofs. */
export interface MerkleTree {
  readonly size: number;
  readonly root: Uint8Array;
  /** The siblings from the leaf to the root. Indexes count from 0; throws RangeError for an index without a leaf. */
  proof(index: number): readonly Uint8Array[];
}

/** Builds the tree over the data of its leaves; at least one. */
export function buildTree(leaves: readonly Uint8Array[]): MerkleTree {
  if (leaves.length < 1 || leaves.length > LEAVES_MAX) throw new RangeError('a tree has leaves');
  const levels: Uint8Array[][] = [leaves.map((leaf) => leafHash(leaf))];
  for (let level = levels[0] ?? []; level.length > 1; ) {
    level = levelAbove(level);
    levels.push(level);
  }
  const size = leaves.length;
  return {
    size,
    root: levels.at(-1)?.[0] as Uint8Array,
    proof(index) {
      if (!Number.isInteger(index) || index < 0 || index >= size) {
        throw new RangeError(`no leaf ${index} in a tree of ${size}`);
      }
      // A last node without a sibling moves up unchanged.
      return levels.flatMap((level, height) => level[Math.floor(index / 2 ** height) ^ 1] ?? []);
    },
  };
}

function levelAbove(level: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = [];
  for (let i = 0; i < level.length; i += 2) {
    const [left, right] = [level[i] as Uint8Array, level[i + 1]];
    above.push(right ? nodeHash(left, right) : left);
  }
  return above;
}

/** The position of a leaf (from 0) in a tree of `size` leaves, with its siblings. */
export interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly siblings: readonly Uint8Array[];
}

/** The root that an inclusion gives for a leaf's data; null if it has too few or too many siblings. */
export function rootOf(data: Uint8Array, { index, size, siblings }: Inclusion): Uint8Array | null {
  const inTree = Number.isInteger(index) && Number.isInteger(size) && index >= 0 && index < size;
  if (!inTree || size > LEAVES_MAX) return null;
  let hash = leafHash(data);
  let [place, last] = [index, size - 1];
  for (const sibling of siblings) {
    if (last === 0 || sibling.length !== HASH_BYTES) return null;
    // Without a sibling on its level the node moves up unchanged.
    while (place % 2 === 0 && place === last) [place, last] = [place >> 1, last >> 1];
    hash = place % 2 === 1 ? nodeHash(sibling, hash) : nodeHash(hash, sibling);
    [place, last] = [place >> 1, last >> 1];
  }
  return last === 0 ? hash : null;
}

/** Whether a leaf's data is in the tree with that root. */
export function isIncluded(data: Uint8Array, inclusion: Inclusion, root: Uint8Array): boolean {
  const given = rootOf(data, inclusion);
  return given !== null && root.length === HASH_BYTES && given.every((byte, i) => byte === root[i]);
}
