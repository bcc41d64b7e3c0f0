/**
 * What `ask` answers, unless it is called off first: a wallet may ask its player for ever, or be gone, and what it
 * answers after that no longer counts. Rejects with the signal's reason.
 */
export function unlessCalledOff<T>(ask: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    ask().then(resolve, reject);
  });
}
