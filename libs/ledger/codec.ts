/**
 * How bigints live in JSON: every key that ends in `Minor` holds an integer amount, as a decimal string in the
 * book and as a bigint in code. The rule is the name, so a new event needs no codec of its own.
 */
export function encode(value: unknown): string {
  return JSON.stringify(withTexts(value));
}

/** A copy with amounts as texts. A copy, because a replacer is called for every key and costs half as much again. */
function withTexts(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withTexts);
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = withTexts((value as Record<string, unknown>)[key]);
  return copy;
}

/** The inverse of `encode`. Throws SyntaxError for text that is no JSON or an amount that is no integer. */
export function decode<T>(text: string): T {
  return revive(JSON.parse(text)) as T;
}

/** Turns the `...Minor` strings of a parsed JSON value into bigints, in place. */
export function revive<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    const record = value as Record<string, unknown>;
    for (const key in record) {
      const inner = record[key];
      if (typeof inner === 'string') {
        if (key.endsWith('Minor')) record[key] = BigInt(inner);
      } else if (inner !== null && typeof inner === 'object') revive(inner);
    }
  }
  return value;
}

/**
 * Whether `decode(encode(value))` gives the value back. An amount under another name would come back as text, and text
 * under an amount's name would end every reader of the book.
 */
export function survivesCodec(value: unknown, key = ''): boolean {
  switch (typeof value) {
    case 'bigint':
      return key.endsWith('Minor');
    case 'string':
      return !key.endsWith('Minor');
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'boolean':
      return true;
    case 'object':
      if (value === null) return true;
      if (Array.isArray(value)) return value.every((inner) => survivesCodec(inner));
      return Object.entries(value).every(([name, inner]) => survivesCodec(inner, name));
    default:
      return false;
  }
}
