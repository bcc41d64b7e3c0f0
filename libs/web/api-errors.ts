import { ApiError } from '@reelbook/contract/client';

const TOO_MANY_REQUESTS = 429;
const REFUSALS_FROM = 400;
const SERVER_FAULTS_FROM = 500;

/** No answer, nonsense, or a fault of the server: unlike a refusal it does not mean that nothing was executed. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.code < REFUSALS_FROM || error.code >= SERVER_FAULTS_FROM;
}

/** Whether asking again may help: no answer came, or nonsense, or the server could not serve just now. */
export function isPassing(error: unknown): boolean {
  return isUnanswered(error) || (error as ApiError).code === TOO_MANY_REQUESTS;
}
