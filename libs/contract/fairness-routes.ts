import { Type } from 'typebox';
import { paths } from './paths.ts';
import { pageQuery } from './schemas/common.ts';
import { NoncePage, PairParams, RotateBody, Seeds } from './schemas/fairness.ts';
import { EventParams, EventProof, LedgerSeal, Receipt, ReceiptKey } from './schemas/proofs.ts';
import { ProvenRound, RoundParams } from './schemas/slot.ts';

/** The calls by which a player checks the site; part of `routes`. */
export const fairnessRoutes = {
  seeds: {
    ...paths.seeds,
    summary: 'Seeds in their three stages: next, active, revealed',
    tag: 'fairness',
    data: Seeds,
  },
  rotateSeeds: {
    ...paths.rotateSeeds,
    summary: 'Reveal the active seed and go on with the next',
    tag: 'fairness',
    body: RotateBody,
    data: Seeds,
  },
  round: {
    ...paths.round,
    summary: 'One round with all that its outcome follows from',
    tag: 'fairness',
    params: RoundParams,
    data: ProvenRound,
  },
  event: {
    ...paths.event,
    summary: "One of the player's own events with its proof: text, hashes, place under a seal",
    tag: 'fairness',
    params: EventParams,
    data: EventProof,
  },
  pairNonces: {
    ...paths.pairNonces,
    summary: 'Every nonce of a pair of seeds with its round, or the reason why it has none',
    tag: 'fairness',
    params: PairParams,
    query: pageQuery(50),
    data: NoncePage,
  },
  receipt: {
    ...paths.receipt,
    summary: 'A signed receipt of one round; verify it with /verifier.html, without this site',
    tag: 'fairness',
    params: RoundParams,
    data: Receipt,
  },
  receiptKey: {
    ...paths.receiptKey,
    summary: 'The public key that receipts are signed with',
    tag: 'fairness',
    data: ReceiptKey,
  },
  ledgerSeals: {
    ...paths.ledgerSeals,
    summary: 'The newest seals on the book, newest first: keep a root, and what it seals is fixed',
    tag: 'fairness',
    data: Type.Array(LedgerSeal),
  },
} as const;
