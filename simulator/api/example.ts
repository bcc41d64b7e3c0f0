const TEXT_MAX_LENGTH = 120;
const SCALARS_MAX = 8;

type Loose = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Loose =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** For a reader: the first entry of a list of objects, the beginning of a long text. */
export function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > TEXT_MAX_LENGTH) {
    return `${value.slice(0, TEXT_MAX_LENGTH)}…`;
  }
  if (Array.isArray(value)) {
    const max = value.some(isObject) ? 1 : SCALARS_MAX;
    return value.slice(0, max).map(shortened);
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, shortened(one)]));
}

/** Where two examples differ in their fields or the types of these. Values differ with each run; null is of any type. */
export function differences(before: unknown, now: unknown, path = ''): readonly string[] {
  if (before === null || now === null) return [];
  if (Array.isArray(before) && Array.isArray(now)) {
    return before.length === 0 || now.length === 0
      ? []
      : differences(before[0], now[0], `${path}[]`);
  }
  if (isObject(before) && isObject(now)) {
    const names = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...names].flatMap((name) => {
      const field = path === '' ? name : `${path}.${name}`;
      if (!(name in now)) return [`${field} is missing`];
      if (!(name in before)) return [`${field} is new`];
      return differences(before[name], now[name], field);
    });
  }
  const [was, is] = [kindOf(before), kindOf(now)];
  return was === is ? [] : [`${path} was ${was} and is ${is}`];
}

const kindOf = (value: unknown) => (Array.isArray(value) ? 'a list' : typeof value);
