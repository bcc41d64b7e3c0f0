/** Key-value text storage of the browser; never throws here. */
export interface TextStorage {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/**
 * Wraps a browser storage; when it is blocked or full, values are kept in the memory of this tab only.
 * @param open called each time, since even reading the property of a blocked storage throws.
 */
export function safeStorage(open: () => Storage): TextStorage {
  const spare = new Map<string, string>();
  return {
    get(key) {
      try {
        return spare.get(key) ?? open().getItem(key);
      } catch {
        return spare.get(key) ?? null;
      }
    },
    set(key, value) {
      try {
        open().setItem(key, value);
        spare.delete(key);
      } catch {
        spare.set(key, value);
      }
    },
    remove(key) {
      spare.delete(key);
      try {
        open().removeItem(key);
      } catch {
        // A storage that cannot be written to has nothing to remove.
      }
    },
  };
}

/** Kept until the player clears it. */
export const deviceStorage = safeStorage(() => localStorage);
/** Kept as long as this tab. */
export const tabStorage = safeStorage(() => sessionStorage);

/** Reads JSON that this app wrote; anything else counts as absent. */
export function readJson<T>(storage: TextStorage, key: string, isValid: (v: unknown) => v is T) {
  const text = storage.get(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}

const KEY_BYTES = 16;

/** A random idempotency key, 32 hex digits. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
