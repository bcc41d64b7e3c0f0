import { assert } from '../assert.ts';

/** Limit of seals under one anchor: a proof of an event reads the roots of its complete anchor. */
export const ANCHOR_SEALS_MAX = 4_096;

const HASH_PATTERN = /^[0-9a-f]{64}$/;
const SIGNATURE_PATTERN = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/;

/** The seals `fromSeal` to `seal` (numbers, both included), named by one memo on the chain. */
export interface Anchor {
  readonly fromSeal: number;
  readonly seal: number;
  /** The root of `seal`. 64 hex digits. */
  readonly root: string;
  /** RFC 6962 over the 32 bytes of each seal's root, in order. 64 hex digits. */
  readonly sealsRoot: string;
}

/** The text of the memo. The name at its start identifies the format and never changes. */
export function anchorMemo({ fromSeal, seal, root, sealsRoot }: Anchor): string {
  return `reelbook-anchor-1 seals ${fromSeal}-${seal} root ${root} all ${sealsRoot}`;
}

/** Any other text is no memo of this program. */
const MEMO =
  /^reelbook-anchor-1 seals ([0-9]{1,15})-([0-9]{1,15}) root ([0-9a-f]{64}) all ([0-9a-f]{64})$/;

export function readAnchorMemo(memo: string): Anchor | null {
  const [, fromSeal, seal, root, sealsRoot] = MEMO.exec(memo) ?? [];
  if (root === undefined || sealsRoot === undefined) return null;
  return { fromSeal: Number(fromSeal), seal: Number(seal), root, sealsRoot };
}

/** Throws Bug for an invalid anchor. */
export function assertAnchor(
  anchor: Anchor & { readonly signature: string; readonly slot: number },
) {
  const count = anchor.seal - anchor.fromSeal + 1;
  assert(Number.isSafeInteger(anchor.seal) && anchor.fromSeal >= 1, 'seals are numbered from 1');
  assert(count >= 1 && count <= ANCHOR_SEALS_MAX, 'a run of seals');
  assert(HASH_PATTERN.test(anchor.root) && HASH_PATTERN.test(anchor.sealsRoot), 'two roots');
  assert(SIGNATURE_PATTERN.test(anchor.signature), 'a signature in base58');
  assert(Number.isSafeInteger(anchor.slot) && anchor.slot >= 0, 'a memo landed in a slot');
}
