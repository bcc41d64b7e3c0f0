import type { AdminData } from '@reelbook/contract/admin/routes';
import type { FileResult } from './check-file.ts';
import type { EventVerdict, Verdict } from './checks.ts';
import type { ChainFault, ChainProgress } from './follow-chain.ts';

/** Sent to the worker. */
export type VerifyRequest =
  | {
      readonly kind: 'event';
      readonly proof: AdminData<'eventProof'>;
      readonly shown: { readonly body: string; readonly hash: string };
    }
  | { readonly kind: 'round'; readonly round: AdminData<'eventRound'> }
  | { readonly kind: 'file'; readonly file: File; readonly publicKey: string | null }
  | { readonly kind: 'chain'; readonly token: string };

/** Sent by the worker. A chain sends its progress until the result. */
export type VerifyResponse =
  | { readonly kind: 'event'; readonly verdict: EventVerdict }
  | { readonly kind: 'round'; readonly verdict: Verdict }
  | { readonly kind: 'file'; readonly result: FileResult }
  | { readonly kind: 'progress'; readonly progress: ChainProgress }
  | { readonly kind: 'chain'; readonly result: ChainProgress | ChainFault }
  | { readonly kind: 'failed'; readonly message: string };
