/**
 * The status of a transaction, and whether it can still land. A wrong "cannot land" causes a second payment, so no code
 * here assumes that two responses come from one machine: a URL may have many, each at a different slot. Responses are
 * related by the slots that they contain.
 */
import { type Connection, type SignatureStatus, VersionedTransaction } from '@solana/web3.js';
import type { Node, Nodes } from './nodes.ts';
import { errorText, type SignedTransfer } from './transaction.ts';

export type Status =
  | { readonly kind: 'finalized'; readonly slot: number }
  /** Finalized with an error: it moved nothing. */
  | { readonly kind: 'failed'; readonly slot: number; readonly error: string }
  /** In a block that may still be dropped by a fork, with its error there. */
  | { readonly kind: 'landed'; readonly slot: number; readonly error: string | null }
  /** Not seen. `canLand` is false if the node has finalized all blocks up to the last valid one. */
  | { readonly kind: 'unknown'; readonly canLand: boolean };

export interface Absence {
  /**
   * The number of providers if every node reports "not seen and cannot land", else 0. Two API keys of one provider are one
   * witness: its machines share faults.
   */
  readonly witnesses: number;
  /** The report of each node. */
  readonly nodes: readonly {
    readonly node: string;
    readonly provider: string;
    readonly report: NodeReport;
  }[];
}

/** `away`: the node is unavailable. `pruned`: its history does not reach the slots in which the transaction could land. */
export type NodeReport = Status | 'away' | 'pruned';

/** The status reported by one node. */
export async function askStatus(
  node: Connection,
  { signature, lastValidBlockHeight }: Pick<SignedTransfer, 'signature' | 'lastValidBlockHeight'>,
): Promise<Status> {
  return (await look(node, signature, lastValidBlockHeight)).status;
}

/** What shows that a signed transaction can no longer land. */
export interface Expiring extends Pick<SignedTransfer, 'signature' | 'lastValidBlockHeight'> {
  readonly blockhash: string;
  /** Of its signing; missing for one that is too new to be pruned. */
  readonly slot?: number;
}

function expiringOf({ bytes, ...signed }: SignedTransfer): Expiring {
  const { message } = VersionedTransaction.deserialize(Buffer.from(bytes, 'base64'));
  return { ...signed, blockhash: message.recentBlockhash };
}

/** The reports of all nodes. */
export async function askAbsence(
  nodes: Nodes,
  signed: SignedTransfer | Expiring,
): Promise<Absence> {
  const expiring = 'bytes' in signed ? expiringOf(signed) : signed;
  const reports = await Promise.all(
    nodes.all.map(async (node) => ({ node, report: await askAlone(nodes, node, expiring) })),
  );
  const isComplete = reports.every(({ report }) => isAbsent(report));
  const providers = new Set(reports.map(({ node }) => node.provider));
  return {
    witnesses: isComplete ? providers.size : 0,
    nodes: reports.map(({ node: { name, provider }, report }) => ({
      node: name,
      provider,
      report,
    })),
  };
}

/** A finalized transaction, with its error if it failed. */
export type End = Extract<Status, { readonly kind: 'finalized' | 'failed' }>;

/** The end that so many providers report alike; null: too few do. One of them alone may call a payment paid or failed. */
export function endOf({ nodes }: Pick<Absence, 'nodes'>, providersNeeded: number): End | null {
  const groups = new Map<string, { readonly end: End; readonly providers: Set<string> }>();
  for (const { provider, report } of nodes) {
    if (typeof report === 'string') continue;
    if (report.kind !== 'finalized' && report.kind !== 'failed') continue;
    const key = JSON.stringify([
      report.kind,
      report.slot,
      report.kind === 'failed' && report.error,
    ]);
    const group = groups.get(key) ?? { end: report, providers: new Set() };
    groups.set(key, { ...group, providers: group.providers.add(provider) });
  }
  const agreed = [...groups.values()].filter(({ providers }) => providers.size >= providersNeeded);
  return agreed.length === 1 ? (agreed[0]?.end ?? null) : null;
}

/** Whether a node reports "not seen and cannot land". */
export function isAbsent(report: NodeReport): boolean {
  return typeof report === 'object' && report.kind === 'unknown' && !report.canLand;
}

async function askAlone(nodes: Nodes, node: Node, signed: Expiring): Promise<NodeReport> {
  const { signature, lastValidBlockHeight, blockhash, slot } = signed;
  try {
    return await nodes.ask(node, 'getSignatureStatuses', async (connection) => {
      const { status, finalSlot } = await look(connection, signature, lastValidBlockHeight);
      if (!isAbsent(status)) return status;
      if (slot !== undefined && (await connection.getFirstAvailableBlock()) > slot) return 'pruned';
      // The block height read at signing may have been too low: the blockhash's validity is decisive.
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
 * Reads the finalized slot first, then the transaction. "Not seen" is conclusive only if the responding node is at or
 * beyond that slot: a lagging node may lack the block.
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
