import type { Failure } from '@reelbook/contract/errors';
import type { Rejection } from '@reelbook/ledger/rejections';

/** Thrown to end a request with a refusal of the catalogue. */
export class Refused extends Error {
  override readonly name = 'Refused';
  override readonly cause: Rejection | Failure;
  readonly retryAfterS: number | undefined;

  constructor(cause: Rejection | Failure, retryAfterS?: number) {
    super('failed' in cause ? cause.failed : cause.rejected);
    this.cause = cause;
    this.retryAfterS = retryAfterS;
  }
}
