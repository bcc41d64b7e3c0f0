/**
 * What became of a transaction, and when it can land no more. Paying twice hangs on the second, so nothing here believes
 * that two answers come from one machine: behind a URL there may be many, each as far as it has come, and the next
 * request may go to the slowest. Answers are tied together by the slots that they name.
 */
import { type Connection, type SignatureStatus, VersionedTransaction } from '@solana/web3.js';
import type { Node, Nodes } from './nodes.ts';
import { errorText, type SignedTransfer } from './transaction.ts';

export type Status =
  | { readonly kind: 'finalized'; readonly slot: number }
  /** Final, and it failed: it moved nothing and never will. */
  | { readonly kind: 'failed'; readonly slot: number; readonly error: string }
  /** Seen in a block that may still be forked away; `error` is what it came to there. */
  | { readonly kind: 'landed'; readonly slot: number; readonly error: string | null }
  /** Not seen. `canLand` is false once whoever did not see it knows all blocks up to its last valid one as final. */
  | { readonly kind: 'unknown'; readonly canLand: boolean };

export interface Absence {
  /**
   * How many providers say so, if every node says: not seen, and it can land no more. 0 as soon as one does not. Two keys
   * of one provider are one witness: its machines share their faults.
   */
  readonly witnesses: number;
  /** What each node said. */
  readonly nodes: readonly { readonly node: string; readonly says: Said }[];
}

/** `pruned`: the node has forgotten the slots in which it could have landed, so that it cannot know. */
export type Said = Status | 'away' | 'pruned';

/** Asks one node what became of it. */
export async function askStatus(
  node: Connection,
  { signature, lastValidBlockHeight }: Pick<SignedTransfer, 'signature' | 'lastValidBlockHeight'>,
): Promise<Status> {
  return (await look(node, signature, lastValidBlockHeight)).status;
}

/** Asks every node for itself. */
export async function askAbsence(nodes: Nodes, signed: SignedTransfer): Promise<Absence> {
  const asked = await Promise.all(
    nodes.all.map(async (node) => ({ node, says: await askAlone(nodes, node, signed) })),
  );
  const whole = asked.every(({ says }) => isAbsent(says));
  const providers = new Set(asked.map(({ node }) => node.provider));
  return {
    witnesses: whole ? providers.size : 0,
    nodes: asked.map(({ node, says }) => ({ node: node.name, says })),
  };
}

/** Whether a node says for itself: not seen, and it can land no more. */
export function isAbsent(says: Said): boolean {
  return typeof says === 'object' && says.kind === 'unknown' && !says.canLand;
}

async function askAlone(nodes: Nodes, node: Node, signed: SignedTransfer): Promise<Said> {
  const { signature, lastValidBlockHeight, slot, bytes } = signed;
  try {
    return await nodes.ask(node, 'getSignatureStatuses', async (connection) => {
      const { status, finalSlot } = await look(connection, signature, lastValidBlockHeight);
      if (!isAbsent(status)) return status;
      if ((await connection.getFirstAvailableBlock()) > slot) return 'pruned';
      // The height that we were told at its signing may have been too low: the chain itself knows its blockhash or not.
      const blockhash = VersionedTransaction.deserialize(Buffer.from(bytes, 'base64')).message
        .recentBlockhash;
      const { context, value: isAlive } = await connection.isBlockhashValid(blockhash, {
        commitment: 'finalized',
      });
      return { kind: 'unknown', canLand: isAlive || context.slot < finalSlot };
    });
  } catch {
    return 'away';
  }
}

/**
 * First how far the chain is final, then the transaction. Not seen means that it never landed only where who did not see
 * it has come at least as far as what was final before: whoever lags behind that may not have its block yet.
 */
async function look(
  node: Connection,
  signature: string,
  lastValidBlockHeight: number,
): Promise<{ readonly status: Status; readonly finalSlot: number }> {
  const { absoluteSlot: finalSlot, blockHeight = 0 } = await node.getEpochInfo('finalized');
  const { context, value } = await node.getSignatureStatuses([signature], {
    searchTransactionHistory: true,
  });
  const isOver = blockHeight > lastValidBlockHeight && context.slot >= finalSlot;
  return { status: statusOf(value[0] ?? null, !isOver), finalSlot };
}

function statusOf(seen: SignatureStatus | null, canLand: boolean): Status {
  if (!seen) return { kind: 'unknown', canLand };
  const { slot } = seen;
  const error = seen.err === null ? null : errorText(seen.err);
  if (seen.confirmationStatus !== 'finalized') return { kind: 'landed', slot, error };
  return error === null ? { kind: 'finalized', slot } : { kind: 'failed', slot, error };
}
