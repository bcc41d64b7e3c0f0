import { hexToBytes } from '@noble/hashes/utils.js';
import { anchorMemo } from '@reelbook/ledger/treasury/anchor';
import { isIncluded } from '../fairness/merkle.ts';
import { type ChainedEvent, findChainFault } from './chained-event.ts';

/**
 * Proves that the root of a seal is on Solana, in the memo of a transaction signed by the treasury's wallet. The memo names
 * the newest of several seals and a root over all their roots (RFC 6962); this seal is leaf `its number - from_seal` of that
 * tree. `anchor_event` is the event of the anchor in the ledger.
 */
export interface AnchorProof {
  readonly from_seal: number;
  readonly seal: number;
  /** The root of the newest seal, and the root over all seals' roots. 64 hex digits each. */
  readonly root: string;
  readonly seals_root: string;
  /** From the leaf to the root. */
  readonly siblings: string[];
  /** The treasury's. */
  readonly wallet: string;
  /** The signature of the transaction, to look it up. */
  readonly signature: string;
  readonly slot: number;
  /** The memo of the transaction. */
  readonly memo: string;
  readonly anchor_event: ChainedEvent;
}

const SIBLINGS_MAX = 64;
const MEMO_PROGRAM = 'spl-memo';

/** The fault of an anchor, without the chain; null when this seal's root is under the root in its memo. */
export function findAnchorFault(
  { seal, root }: { readonly seal: number; readonly root: string },
  anchor: AnchorProof,
): string | null {
  const { from_seal: fromSeal, seals_root: sealsRoot, siblings, anchor_event: event } = anchor;
  if (siblings.length > SIBLINGS_MAX) return `too many hashes prove the anchor of seal ${seal}`;
  const leaf = { index: seal - fromSeal, size: anchor.seal - fromSeal + 1 };
  const path = { ...leaf, siblings: siblings.map(hexToBytes) };
  if (!isIncluded(hexToBytes(root), path, hexToBytes(sealsRoot))) {
    return `seal ${seal} is not under the root of its anchor`;
  }
  const seals = { fromSeal, seal: anchor.seal, root: anchor.root, sealsRoot };
  if (anchor.memo !== anchorMemo(seals)) return 'the memo of the anchor does not match its roots';
  const fault = findChainFault(event);
  if (fault) return `the anchor of seal ${seal}: ${fault}`;
  const { type, data } = JSON.parse(event.body) as { type: unknown; data: Record<string, unknown> };
  const { wallet, signature, slot } = anchor;
  const pairs = Object.entries({ ...seals, wallet, signature, slot });
  const same = type === 'SealAnchored' && pairs.every(([name, value]) => data[name] === value);
  return same ? null : `the event at #${event.position} is not this anchor`;
}

/** The body of the POST to a Solana RPC whose response `findOnChainFault` checks. */
export function anchorRequest({ signature }: Pick<AnchorProof, 'signature'>): object {
  const options = {
    encoding: 'jsonParsed',
    commitment: 'finalized',
    maxSupportedTransactionVersion: 0,
  };
  return { jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, options] };
}

/** The fault of an anchor by the response to `anchorRequest`; null: the memo is final on the chain. */
export function findOnChainFault(
  anchor: Pick<AnchorProof, 'wallet' | 'signature' | 'slot' | 'memo'>,
  answer: unknown,
): string | null {
  const { result = null, error } = (answer ?? {}) as Answer;
  if (error) return `the RPC returned an error: ${String(error.message)}`;
  if (result === null) return 'the chain has no such final transaction';
  if (result.meta?.err != null) return 'the transaction failed on the chain';
  const { accountKeys = [], instructions = [] } = result.transaction?.message ?? {};
  const signed = accountKeys.some(({ pubkey, signer }) => signer && pubkey === anchor.wallet);
  if (!signed) return 'the transaction was not signed by the treasury that the anchor names';
  if (!namesTransaction(answer, anchor)) return 'this is another transaction';
  if (result.slot !== anchor.slot) return 'the transaction is in another slot';
  const hasMemo = instructions.some(
    ({ program, parsed }) => program === MEMO_PROGRAM && parsed === anchor.memo,
  );
  return hasMemo ? null : 'the memo on the chain is different';
}

/** Whether a response is about the transaction of that anchor. */
export function namesTransaction(
  answer: unknown,
  { signature }: Pick<AnchorProof, 'signature'>,
): boolean {
  const signatures = ((answer ?? {}) as Answer).result?.transaction?.signatures;
  return Array.isArray(signatures) && signatures.includes(signature);
}

/** The parts of the response that are checked; none is trusted. */
interface Answer {
  readonly error?: { readonly message?: unknown };
  readonly result?: {
    readonly slot?: unknown;
    readonly meta?: { readonly err?: unknown } | null;
    readonly transaction?: {
      readonly signatures?: unknown;
      readonly message?: {
        readonly accountKeys?: readonly { pubkey?: unknown; signer?: unknown }[];
        readonly instructions?: readonly { program?: unknown; parsed?: unknown }[];
      };
    };
  } | null;
}
