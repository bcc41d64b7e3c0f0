export const PART_TIMEOUT_MS = 120_000;

/** A part of an app that did not load, or not in time. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError';
}

/** Resolves to the result of `load`; rejects with ChunkLoadError when it fails or takes more than 120 s. */
export function loadPart<T>(load: () => Promise<T>, timeoutMs = PART_TIMEOUT_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => reject(new ChunkLoadError(`not loaded within ${timeoutMs} ms`)),
      timeoutMs,
    );
    load()
      .then(resolve, (cause: unknown) => reject(new ChunkLoadError('not loaded', { cause })))
      .finally(() => clearTimeout(late));
  });
}
