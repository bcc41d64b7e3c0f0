import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { type LedgerSealed, SEAL_EVENTS_MAX } from '@reelbook/ledger/seals/decide';
import { ANCHOR_SEALS_MAX, anchorMemo } from '@reelbook/ledger/treasury/anchor';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';
import { createRootFold } from '../fairness/merkle.ts';
import { anchorRequest, findOnChainFault } from './anchor.ts';
import type { ChainedEvent } from './chained-event.ts';

/** Hashes kept until their seal comes; a gap larger than this means that the auditor was down. */
const HASHES_KEPT_MAX = 16 * SEAL_EVENTS_MAX;
/** Anchors kept for the report, the newest: each costs a request to an RPC. */
const ANCHORS_KEPT_MAX = 100;

/** An anchor of the file, with the fields needed to look it up. */
export interface AnchorInExport {
  readonly position: number;
  readonly fromSeal: number;
  readonly seal: number;
  readonly wallet: string;
  readonly signature: string;
  readonly slot: number;
  readonly memo: string;
}

/** What the seals and anchors in a file prove about its events. */
export interface SealsChecked {
  /** Seals whose root matches the events of the file. */
  readonly recomputed: number;
  /** Seals whose events are not all in the file. */
  readonly incomplete: number;
  /** The last position under a recomputed seal; 0 for none. */
  readonly to: number;
  readonly anchors: number;
  /** The newest, oldest first. */
  readonly newest: readonly AnchorInExport[];
}

/** Follows the seals and anchors of a file, line by line; reports failed checks to `note`. */
export class ExportSeals {
  private recomputed = 0;
  private incomplete = 0;
  private to = 0;
  private anchors = 0;
  private readonly newest: AnchorInExport[] = [];
  /** Of the events from `hashesFrom` on, without a gap. */
  private hashes: Uint8Array[] = [];
  private hashesFrom = 1;
  /** Roots of the seals in the file that no anchor of it covers yet. */
  private readonly roots = new Map<number, string>();
  private readonly note: (position: number, message: string) => void;

  constructor(note: (position: number, message: string) => void) {
    this.note = note;
  }

  next({ position, hash }: ChainedEvent, body: Readonly<Record<string, unknown>> | null): void {
    if (body?.type === 'LedgerSealed') this.seal(position, body.data);
    if (body?.type === 'SealAnchored') this.anchor(position, body.data);
    if (position !== this.hashesFrom + this.hashes.length) this.restart(position);
    if (this.hashes.length === HASHES_KEPT_MAX) this.drop(SEAL_EVENTS_MAX);
    this.hashes.push(hexToBytes(hash));
  }

  checked(): SealsChecked {
    const { recomputed, incomplete, to, anchors, newest } = this;
    return { recomputed, incomplete, to, anchors, newest };
  }

  private seal(position: number, value: unknown): void {
    const data = value as LedgerSealed['data'];
    if (!areCounts(data?.seal, data?.from, data?.to)) {
      this.note(position, 'a seal without a range');
      return;
    }
    const { seal, from, to, root, chainHash, previousRoot } = data;
    const before = this.roots.get(seal - 1);
    if (before !== undefined && previousRoot !== before) {
      this.note(
        position,
        `the previous root of seal ${seal} differs from the root of seal ${seal - 1}`,
      );
    }
    this.roots.set(seal, root);
    const first = from - this.hashesFrom;
    const sealed = this.hashes.slice(Math.max(0, first), to - this.hashesFrom + 1);
    if (first < 0 || sealed.length === 0 || sealed.length !== to - from + 1) {
      this.incomplete++;
      return;
    }
    const tree = createRootFold();
    for (const hash of sealed) tree.push(hash);
    const last = sealed.at(-1);
    if (bytesToHex(tree.root()) !== root || (last && bytesToHex(last)) !== chainHash) {
      this.note(position, `the root of seal ${seal} does not match the events #${from} to #${to}`);
      return;
    }
    this.recomputed++;
    this.to = Math.max(this.to, to);
    this.drop(first + sealed.length);
  }

  private anchor(position: number, value: unknown): void {
    const data = value as SealAnchored['data'];
    const { fromSeal, seal, slot, wallet, signature } = data ?? {};
    const isAnchor = areCounts(fromSeal, seal, slot) && seal - fromSeal < ANCHOR_SEALS_MAX;
    if (!isAnchor || typeof wallet !== 'string' || typeof signature !== 'string') {
      this.note(position, 'an anchor without seals or without a transaction');
      return;
    }
    const tree = createRootFold();
    for (let one = fromSeal; one <= seal; one++) {
      const root = this.roots.get(one);
      if (typeof root === 'string') tree.push(hexToBytes(root));
    }
    const newest = this.roots.get(seal);
    const isComplete = tree.size === seal - fromSeal + 1;
    const differs =
      (newest !== undefined && newest !== data.root) ||
      (isComplete && bytesToHex(tree.root()) !== data.sealsRoot);
    if (differs) {
      this.note(position, `the anchored roots differ from those of seals ${fromSeal} to ${seal}`);
    }
    // The newest one stays: the next seal refers to its root.
    for (const one of this.roots.keys()) if (one < seal) this.roots.delete(one);
    this.anchors++;
    const memo = anchorMemo(data);
    this.newest.push({ position, fromSeal, seal, wallet, signature, slot, memo });
    if (this.newest.length > ANCHORS_KEPT_MAX) this.newest.shift();
  }

  private restart(position: number): void {
    this.hashes = [];
    this.hashesFrom = position;
  }

  private drop(count: number): void {
    this.hashes = this.hashes.slice(count);
    this.hashesFrom += count;
  }
}

function areCounts(...values: readonly unknown[]): boolean {
  return values.every((value) => Number.isSafeInteger(value) && (value as number) >= 0);
}

/** Sends a body by POST to an RPC; rejects when it does not respond. */
export type AskRpc = (body: object) => Promise<unknown>;

/**
 * Why the chain does not confirm an anchor; null: it has the memo, signed by that wallet. `unknown`: the RPC does not have
 * the transaction, which may be older than its history, or refused the request.
 */
export async function lookUpAnchor(
  anchor: Omit<AnchorInExport, 'position'>,
  ask: AskRpc,
): Promise<{ readonly words: string; readonly unknown: boolean } | null> {
  const answer = (await ask(anchorRequest(anchor))) as { readonly result?: unknown } | null;
  const words = findOnChainFault(anchor, answer);
  return words === null ? null : { words, unknown: (answer?.result ?? null) === null };
}
