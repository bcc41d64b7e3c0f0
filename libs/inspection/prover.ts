import { readHash } from '@reelbook/event-store/hash-chain';
import { rowsOf, tables } from '@reelbook/event-store/query';
import { readEvent } from '@reelbook/event-store/read-log';
import { buildTree, type MerkleTree } from '@reelbook/games/fairness/merkle';
import type { AnchorProof } from '@reelbook/games/proofs/anchor';
import type { ChainedEvent } from '@reelbook/games/proofs/chained-event';
import type { EventProof, Inclusion } from '@reelbook/games/proofs/event-proof';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { SEAL_EVENTS_MAX } from '@reelbook/ledger/seals/decide';
import { ANCHOR_SEALS_MAX, anchorMemo } from '@reelbook/ledger/treasury/anchor';
import {
  type AnchorRow,
  readAnchorOver,
  readSealOver,
  readSealRoots,
  type SealRow,
} from '@reelbook/projections/ledger-seals/projection';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';

/** Leaves of all cached trees: some 40 MB. A sealed range never changes, nor does its tree. */
const LEAVES_KEPT_MAX = 16 * SEAL_EVENTS_MAX;

/** Roots of the seals under all cached anchors. */
const ROOTS_KEPT_MAX = 8 * ANCHOR_SEALS_MAX;

interface SealTree {
  readonly tree: MerkleTree;
  readonly sealEvent: ChainedEvent;
}

interface AnchorTree {
  readonly tree: MerkleTree;
  readonly root: string;
  readonly anchorEvent: ChainedEvent;
}

/** Proofs of events, from the ledger and its seals. */
export interface Prover {
  /** The event at a position with its proof; null where the ledger has none. Reads the hashes of one seal at most. */
  prove(position: number): Promise<{ recorded: RecordedEvent; proof: EventProof } | null>;
}

export function openProver(pool: pg.Pool): Prover {
  const trees = new LRUCache<number, SealTree, SealRow>({
    max: LEAVES_KEPT_MAX,
    maxSize: LEAVES_KEPT_MAX,
    sizeCalculation: ({ tree }) => tree.size,
    fetchMethod: (_seal, _stale, { context }) => readTree(pool, context),
  });
  const anchors = new LRUCache<number, AnchorTree, AnchorRow>({
    max: ROOTS_KEPT_MAX,
    maxSize: ROOTS_KEPT_MAX,
    sizeCalculation: ({ tree }) => tree.size,
    fetchMethod: (_seal, _stale, { context }) => readAnchorTree(pool, context),
  });
  const anchorOver = async (seal: number): Promise<AnchorProof | null> => {
    const anchor = await readAnchorOver(pool, seal);
    const found = anchor && (await anchors.fetch(anchor.seal, { context: anchor }));
    return anchor && found ? anchorProof(found, anchor, seal) : null;
  };
  return {
    async prove(position) {
      const recorded = await readEvent(pool, position);
      if (!recorded) return null;
      const [event, seal] = await Promise.all([
        chained(pool, recorded),
        readSealOver(pool, position),
      ]);
      if (!seal) {
        return { recorded, proof: { ...event, status: 'not sealed yet', inclusion: null } };
      }
      const [found, anchor] = await Promise.all([
        trees.fetch(seal.seal, { context: seal }),
        anchorOver(seal.seal),
      ]);
      assert(found, 'a seal has a tree');
      const inclusion = { ...include(found, seal, position), anchor };
      return { recorded, proof: { ...event, status: 'sealed', inclusion } };
    },
  };
}

function include({ tree, sealEvent }: SealTree, row: SealRow, position: number): Inclusion {
  const { seal, from, to, root } = row;
  const siblings = tree.proof(position - from).map((hash) => Buffer.from(hash).toString('hex'));
  return { seal, from, to, root, siblings, seal_event: sealEvent };
}

async function readTree(pool: pg.Pool, { seal, from, to, root, position }: SealRow) {
  assert(to - from < SEAL_EVENTS_MAX, 'a seal is bounded');
  const sealedHashes = tables
    .selectFrom('events')
    .select('hash')
    .where('position', '>=', from)
    .where('position', '<=', to)
    .orderBy('position');
  const [rows, sealed] = await Promise.all([
    rowsOf(pool, sealedHashes, 'read-sealed-hashes'),
    readEvent(pool, position),
  ]);
  const tree = buildTree(rows.map(({ hash }) => hash));
  // An event that was altered after it was sealed cannot be proved.
  assert(
    tree.size === to - from + 1 && Buffer.from(tree.root).toString('hex') === root,
    `the root of seal ${seal} matches its events`,
  );
  assert(sealed, `seal ${seal} is in the ledger`);
  return { tree, sealEvent: await chained(pool, sealed) };
}

function anchorProof(
  { tree, root, anchorEvent }: AnchorTree,
  { fromSeal, seal: newest, sealsRoot, wallet, signature, slot }: AnchorRow,
  seal: number,
): AnchorProof {
  const siblings = tree.proof(seal - fromSeal).map((hash) => Buffer.from(hash).toString('hex'));
  return {
    from_seal: fromSeal,
    seal: newest,
    root,
    seals_root: sealsRoot,
    siblings,
    wallet,
    signature,
    slot,
    memo: anchorMemo({ fromSeal, seal: newest, root, sealsRoot }),
    anchor_event: anchorEvent,
  };
}

async function readAnchorTree(pool: pg.Pool, anchor: AnchorRow): Promise<AnchorTree> {
  const { fromSeal, seal, sealsRoot, position } = anchor;
  const limit = seal - fromSeal + 1;
  assert(limit <= ANCHOR_SEALS_MAX, 'an anchor is bounded');
  const [seals, anchored] = await Promise.all([
    readSealRoots(pool, { from: fromSeal, limit }),
    readEvent(pool, position),
  ]);
  const tree = buildTree(seals.map(({ root }) => Buffer.from(root, 'hex')));
  const root = seals.at(-1)?.root;
  // A seal that was altered after it was anchored cannot be proved.
  const same = tree.size === limit && Buffer.from(tree.root).toString('hex') === sealsRoot;
  assert(root && same, `the root of the anchor matches the seals up to ${seal}`);
  assert(anchored, `the anchor of seal ${seal} is in the ledger`);
  return { tree, root, anchorEvent: await chained(pool, anchored) };
}

async function chained(pool: pg.Pool, recorded: RecordedEvent): Promise<ChainedEvent> {
  const { position, body, hash } = recorded;
  const previous_hash = await readHash(pool, position - 1);
  assert(previous_hash, `the ledger has an event before #${position}`);
  return { position, body, previous_hash, hash };
}
