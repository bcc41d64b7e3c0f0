import type { AdminData } from '@reelbook/admin/answers';
import { checkRound, drawBet } from '@reelbook/games/check';
import { findAnchorFault } from '@reelbook/games/proofs/anchor';
import { findChainFault } from '@reelbook/games/proofs/chained-event';
import { findInclusionFault } from '@reelbook/games/proofs/event-proof';
import type { Outcome } from '@reelbook/ledger/player/events';

/** Checks of server responses. Pure; the server and the audit run the same code. */

type Proof = AdminData<'eventProof'>;
type Round = AdminData<'eventRound'>;

/** Null: passed. Text: the fault. `undefined`: nothing to check, or not checked because a check before it failed. */
export type Verdict = string | null | undefined;

export interface EventVerdict {
  readonly hash: Verdict;
  readonly inclusion: Verdict;
  readonly anchor: Verdict;
  readonly shown: Verdict;
}

/** Checks the hash of an event, that the page shows that text, and inclusion and anchor of that hash; up to the first fault. */
export function checkEvent(
  proof: Proof,
  shown: { readonly body: string; readonly hash: string },
): EventVerdict {
  const { inclusion } = proof;
  const anchor = inclusion?.anchor ?? null;
  const same = proof.body === shown.body && proof.hash === shown.hash;
  const checks = {
    hash: () => findChainFault(proof),
    shown: () => (same ? null : 'this page shows another text than the verified one'),
    inclusion: () => (inclusion ? findInclusionFault(proof, inclusion) : undefined),
    anchor: () => (inclusion && anchor ? findAnchorFault(inclusion, anchor) : undefined),
  };
  const verdict: { -readonly [Name in keyof EventVerdict]?: Verdict } = {};
  for (const [name, check] of Object.entries(checks)) {
    const hasFailed = Object.values(verdict).some((one) => typeof one === 'string');
    verdict[name as keyof EventVerdict] = hasFailed ? undefined : faultOf(check);
  }
  return verdict as EventVerdict;
}

/**
 * Recomputes a round from its revealed seed; for a voided round, the payout without the void. `undefined` while the seed
 * is secret or the round is open.
 */
export function checkReplayedRound(round: Round): Verdict {
  const { server_seed: serverSeed } = round;
  if (round.status === 'open' || serverSeed === null) return undefined;
  const bet = {
    game: round.game,
    rules: round.rules,
    stakeMinor: BigInt(round.stake.minor),
    lines: round.lines,
    choice: round.choice,
    serverSeedHash: round.server_seed_hash,
    clientSeed: round.client_seed,
    nonce: round.nonce,
  };
  if (round.status === 'voided') {
    const drawn = drawBet(bet, serverSeed);
    if (!drawn.ok) return drawn.fault;
    const shownMinor = BigInt(round.recomputed.payout?.minor ?? -1);
    return drawn.drawn.payoutMinor === shownMinor ? null : 'payout-differs';
  }
  const outcome = round.outcome as Outcome;
  const payoutMinor = BigInt(round.payout?.minor ?? 0);
  const checked = checkRound({ ...bet, outcome, payoutMinor }, serverSeed);
  return checked.ok ? null : checked.fault;
}

/** An unreadable proof is a fault. */
function faultOf(find: () => Verdict): Verdict {
  try {
    return find();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Sent to the worker. */
export type VerifyRequest =
  | {
      readonly kind: 'event';
      readonly proof: AdminData<'eventProof'>;
      readonly shown: { readonly body: string; readonly hash: string };
    }
  | { readonly kind: 'round'; readonly round: AdminData<'eventRound'> };

/** Sent by the worker. */
export type VerifyResponse =
  | { readonly kind: 'event'; readonly verdict: EventVerdict }
  | { readonly kind: 'round'; readonly verdict: Verdict }
  | { readonly kind: 'failed'; readonly message: string };

/** Runs one request in a new worker. Rejects if it fails or is aborted. */
export function runWorker(request: VerifyRequest, signal: AbortSignal): Promise<VerifyResponse> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    const end = () => worker.terminate();
    signal.addEventListener('abort', () => {
      end();
      reject(signal.reason);
    });
    worker.onmessage = ({ data }: MessageEvent<VerifyResponse>) => {
      end();
      if (data.kind === 'failed') reject(new Error(data.message));
      else resolve(data);
    };
    worker.onerror = (event) => {
      end();
      reject(new Error(event.message));
    };
    worker.postMessage(request);
  });
}
