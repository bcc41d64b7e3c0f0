/** Text by key, as the browser keeps it; here it never throws. */
export interface KeptText {
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

/**
 * Wraps a browser storage so that a blocked or full one costs the memory of this tab only.
 * @param open called each time, since even touching a blocked storage throws.
 */
export function keepText(open: () => Storage): KeptText {
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
        // Nothing can be kept there, so nothing is left there.
      }
    },
  };
}

/** Kept until the player clears it. */
export const deviceStorage = keepText(() => localStorage);
/** Kept as long as this tab. */
export const tabStorage = keepText(() => sessionStorage);

/** Reads JSON that this app wrote; anything else counts as absent. */
export function readJson<T>(storage: KeptText, key: string, isValid: (v: unknown) => v is T) {
  const text = storage.get(key);
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    return isValid(value) ? value : null;
  } catch {
    return null;
  }
}
