import type { AdminData } from '@reelbook/contract/admin/routes';
import type { EventVerdict, Verdict } from './checks.ts';

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
