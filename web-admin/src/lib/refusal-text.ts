import { ApiError } from '@reelbook/contract/client';
import { toast } from '@reelbook/web/toasts';

/** The server's text of an error. */
export function refusalText(error: unknown): string {
  if (error instanceof ApiError && error.code !== 0) return error.message;
  return 'The server cannot be reached. No data is lost. Try again later.';
}

/** Shows an error as a toast. */
export function toastRefusal(error: unknown): void {
  toast(refusalText(error), 'bad');
}
