import { ApiError } from '@reelbook/contract/client';

const TOO_MANY_REQUESTS = 429;
const REFUSALS_FROM = 400;
const SERVER_FAULTS_FROM = 500;

/** No response, an invalid one, or a server error: unlike a refusal, the command may have been executed. */
export function isUnconfirmed(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.code < REFUSALS_FROM || error.code >= SERVER_FAULTS_FROM;
}

/** Whether a retry may help: no response, an invalid one, or a server that is temporarily unavailable. */
export function isTransient(error: unknown): boolean {
  return isUnconfirmed(error) || (error as ApiError).code === TOO_MANY_REQUESTS;
}
