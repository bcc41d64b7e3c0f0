import { type AnchorProof, findOnChainFault, namesTransaction } from './anchor.ts';
import type { Check } from './check-receipt.ts';
import type { EventProof } from './event-proof.ts';

/** The anchors that a receipt, or the proof of one event, leads to: one a transaction. Believes nothing of the value. */
export function anchorsOf(value: unknown): readonly AnchorProof[] {
  const given = value as { readonly events?: unknown } & Partial<EventProof>;
  const events: readonly Partial<EventProof>[] = Array.isArray(given?.events)
    ? given.events
    : [...(Array.isArray(given?.commitment) ? given.commitment : []), given];
  const anchors = events
    .flatMap((event) => event?.inclusion?.anchor ?? [])
    .filter((anchor) => typeof anchor?.signature === 'string');
  return [...new Map(anchors.map((anchor) => [anchor.signature, anchor])).values()];
}

/**
 * Whether Solana says what the anchors say: `answers` are those of any RPC to `anchorRequest`, in any order. Whoever asked
 * believes that RPC, and nobody of ours.
 */
export function checkOnChain(value: unknown, answers: readonly unknown[]): Check {
  const anchors = anchorsOf(value);
  const check = (state: Check['state'], words: string): Check => ({ name: 'solana', state, words });
  if (anchors.length === 0) return check('open', 'nothing of it is anchored yet');
  const said: string[] = [];
  for (const anchor of anchors) {
    const own = answers.find((answer) => namesTransaction(answer, anchor));
    // One question, one answer: what it says instead is told as it is.
    const answer = own ?? (answers.length === 1 ? answers[0] : undefined);
    if (answer === undefined) return check('open', `no answer is about ${anchor.signature}`);
    const fault = findOnChainFault(anchor, answer);
    if (fault) return check('fails', `${anchor.signature}: ${fault}`);
    said.push(`the memo stands in slot ${anchor.slot}, signed by ${anchor.wallet}`);
  }
  return check('holds', said.join('; '));
}
