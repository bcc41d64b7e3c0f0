/**
 * Resolves to the result of `ask` unless `signal` aborts first: a wallet may never respond, or disappear. Rejects with
 * the signal's reason; a later result is ignored.
 */
export function abortable<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    ask().then(resolve, reject);
  });
}
