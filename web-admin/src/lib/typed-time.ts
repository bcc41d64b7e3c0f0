/** What people type as a point in time. */
export type TypedTime =
  | { readonly position: number }
  /** ISO 8601. */
  | { readonly time: string };

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DAY_MS = 86_400_000;

/**
 * Reads a position (`#4,118`), a time ago (`-2h`, `-90s`), a time of day (`13:45`, the last one that has passed), a day or a
 * time. All in UTC unless a zone is given. Null for anything else.
 */
export function readTypedTime(typed: string, nowMs: number): TypedTime | null {
  const text = typed.trim();
  const digits = text.replace(/^#/, '').replace(/[,'\s]/g, '');
  if (/^[1-9]\d{0,14}$/.test(digits)) return { position: Number(digits) };
  const [, count, unit] = /^-(\d{1,6})\s*([smhd])$/.exec(text) ?? [];
  if (count && unit) return timeAt(nowMs - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  if (/^\d{1,2}:\d\d(:\d\d)?$/.test(text)) {
    const today = new Date(nowMs).toISOString().slice(0, 10);
    const atMs = Date.parse(`${today}T${text.padStart(text.length < 6 ? 5 : 8, '0')}Z`);
    return timeAt(atMs > nowMs ? atMs - DAY_MS : atMs);
  }
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return null;
  const iso = text.length === 10 ? `${text}T00:00:00Z` : text.replace(' ', 'T');
  return timeAt(Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`));
}

function timeAt(ms: number): TypedTime | null {
  return Number.isNaN(ms) ? null : { time: new Date(ms).toISOString() };
}
