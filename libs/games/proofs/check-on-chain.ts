import { type AnchorProof, findOnChainFault, namesTransaction } from './anchor.ts';
import type { Check } from './check-receipt.ts';
import type { EventProof } from './event-proof.ts';

/** The anchors of a receipt or of an event's proof, one for each transaction. The value is not trusted. */
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
 * Whether Solana confirms the anchors: `answers` are responses of any RPC to `anchorRequest`, in any order. Only that RPC is
 * trusted, not the site.
 */
export function checkOnChain(value: unknown, answers: readonly unknown[]): Check {
  const anchors = anchorsOf(value);
  const check = (state: Check['state'], message: string): Check => ({
    ...{ name: 'solana', state, message },
  });
  if (anchors.length === 0) return check('open', 'nothing of it is anchored yet');
  const memos: string[] = [];
  for (const anchor of anchors) {
    const own = answers.find((answer) => namesTransaction(answer, anchor));
    // A single response belongs to the single request, even if it is about another transaction.
    const answer = own ?? (answers.length === 1 ? answers[0] : undefined);
    if (answer === undefined) return check('open', `no answer is about ${anchor.signature}`);
    const fault = findOnChainFault(anchor, answer);
    if (fault) return check('fails', `${anchor.signature}: ${fault}`);
    memos.push(`the memo is in slot ${anchor.slot}, signed by ${anchor.wallet}`);
  }
  return check('passes', memos.join('; '));
}
