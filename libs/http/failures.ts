import { type Answer, answerTo, type Failure } from '@reelbook/contract/errors';
import { ClockSkew } from '@reelbook/event-store/clock';
import { isUnavailable } from '@reelbook/event-store/db';
import { Overloaded } from '@reelbook/event-store/execute';
import { StateDiffers } from '@reelbook/event-store/read-stream';
import { SeedUnavailable } from '@reelbook/event-store/seed-vault';
import { reject } from '@reelbook/ledger/rejections';
import { ChainAway } from '@reelbook/solana/nodes';
import { Refused } from './refused.ts';

/** Maximum size of a request body. */
export const BODY_MAX_BYTES = 16 * 1024;

/** Postgres' code for a missing table: the first start of the projector creates the projections' tables. */
const UNDEFINED_TABLE = '42P01';

/** Maps any exception to a response of the catalogue. */
export function failureOf(error: unknown): Answer {
  if (error instanceof Refused) return answerTo(error.cause, error.retryAfterS);
  if (error instanceof Overloaded) return answerTo({ failed: 'overloaded' });
  if (error instanceof ClockSkew) return answerTo({ failed: 'clock-skew' });
  if (error instanceof StateDiffers) {
    return answerTo({ failed: 'state-differs', detail: { stream: error.stream } });
  }
  if (error instanceof SeedUnavailable) return answerTo({ failed: 'seed-unavailable' });
  if (error instanceof ChainAway) return answerTo(reject('no-chain'));
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // Checked before database errors: a client that disconnects while sending is an ECONNRESET too.
  if (statusOf(error) < 500) return answerTo(frameworkFailure(error, code));
  if (isUnavailable(error) || code === UNDEFINED_TABLE) return answerTo({ failed: 'unavailable' });
  return answerTo(frameworkFailure(error, code));
}

/** Errors of Fastify itself, before a handler runs. */
function frameworkFailure(error: unknown, code: string): Failure {
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return { failed: 'body-too-large', detail: { maxBytes: BODY_MAX_BYTES } };
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return { failed: 'unsupported-media-type' };
    case 'FST_ERR_CTP_INVALID_JSON_BODY':
      return { failed: 'bad-json' };
    default:
      if (statusOf(error) >= 500) return { failed: 'internal' };
      return { failed: 'bad-input', detail: { problem: 'the request is invalid' } };
  }
}

/** The 4xx status of a framework error; 500 for any other error. */
function statusOf(error: unknown): number {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status >= 400 && status < 500 ? status : 500;
}
