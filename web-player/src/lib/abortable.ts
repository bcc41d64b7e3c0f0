/**
 * Resolves to the result of `request` unless `signal` aborts first: a wallet may never respond, or disappear. Rejects with
 * the signal's reason; a later result is ignored.
 */
export function abortable<T>(request: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    request().then(resolve, reject);
  });
}
