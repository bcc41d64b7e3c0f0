/**
 * JSON as RFC 8785 writes it: the keys of every object in order of their UTF-16 code units, no spaces, numbers and
 * strings as JSON.stringify writes them. Equal values give equal texts, in any language. Throws TypeError for a value that
 * is not JSON.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} is not a JSON number`);
      return JSON.stringify(value);
    case 'object':
      if (value === null) return 'null';
      if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
      return `{${membersOf(value).join(',')}}`;
    default:
      throw new TypeError(`a ${typeof value} is not JSON`);
  }
}

function membersOf(value: object): string[] {
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, inner]) => `${JSON.stringify(key)}:${canonicalJson(inner)}`);
}
