import { useCallback, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { api } from './api.ts';
import { AT_PARAM } from './paths.ts';
import { dateTimeText } from './times.ts';

/** What people type as a point in time. */
type TypedTime =
  | { readonly position: number }
  /** ISO 8601. */
  | { readonly time: string };

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/**
 * Reads a position (`#4,118`), a time ago (`-2h`, `-90s`), a time of day (`13:45`, the last one that has passed; `yesterday
 * 14:00`), a day or a time. All in UTC unless a zone is given. Null for anything else.
 */
export function readTypedTime(typed: string, nowMs: number): TypedTime | null {
  const text = typed.trim();
  const digits = text.replace(/^#/, '').replace(/[,'\s]/g, '');
  if (/^[1-9]\d{0,14}$/.test(digits)) return { position: Number(digits) };
  const [, count, unit] = /^-(\d{1,6})\s*([smhd])$/.exec(text) ?? [];
  if (count && unit) return timeAt(nowMs - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  const [, day, clock] =
    /^(?:(today|yesterday)(?:\s+|$))?(\d{1,2}:\d\d(?::\d\d)?)?$/i.exec(text) ?? [];
  if (day || clock) {
    const isYesterday = day?.toLowerCase() === 'yesterday';
    const date = new Date(nowMs - (isYesterday ? UNITS_MS.d : 0)).toISOString().slice(0, 10);
    const atMs = Date.parse(`${date}T${(clock ?? '00:00').replace(/^\d:/, '0$&')}Z`);
    return timeAt(!day && atMs > nowMs ? atMs - UNITS_MS.d : atMs);
  }
  return timeAt(Date.parse(readIso(text) ?? ''));
}

function timeAt(ms: number): TypedTime | null {
  return Number.isNaN(ms) ? null : { time: new Date(ms).toISOString() };
}

/** A time, without a zone in UTC, or a day as its midnight. Null for anything else, and for a day that no calendar has. */
export function readIso(text: string): string | null {
  const day = /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? '';
  // JavaScript turns September 31 into October 1, and prints nothing for what is no time.
  if (!new Date(day).toJSON()?.startsWith(day)) return null;
  const iso = text.replace(' ', 'T');
  return new Date(/^.{10}$|(Z|[+-]\d\d:\d\d)$/.test(iso) ? iso : `${iso}Z`).toJSON();
}

const POSITION = /^[1-9]\d{0,14}$/;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A position, and the time for which it was found. */
export interface Point {
  readonly position: number | null;
  readonly asked: string | null;
}

const askedOf = (param: string) => `${param}-time`;

function readPoint(search: URLSearchParams, param: string): Point {
  const [position, asked] = [search.get(param) ?? '', search.get(askedOf(param)) ?? ''];
  if (!POSITION.test(position)) return { position: null, asked: null };
  return { position: Number(position), asked: TIME.test(asked) ? asked : null };
}

/** A parameter of the URL and its setter; '' is none. */
export function useParam(name: string, replace = true): readonly [string, (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (value: string) =>
    setSearch(
      (now) => {
        if (value) now.set(name, value);
        else now.delete(name);
        return now;
      },
      { replace, preventScrollReset: true },
    );
  return [search.get(name) ?? '', set];
}

/** A parameter of the URL as the text of a field: at once, and also after a link or the search line has changed it. */
export function useTyped(name: string): readonly [string, (text: string) => void] {
  const [param, setParam] = useParam(name);
  const [typed, setTyped] = useState(param);
  useEffect(() => {
    // While one types, the parameter follows; the URL has what was typed last.
    const now = new URLSearchParams(window.location.search).get(name) ?? '';
    setTyped((text) => (text.trim() === now ? text : now));
  }, [name, param]);
  const set = (text: string) => {
    setTyped(text);
    setParam(text.trim());
  };
  return [typed, set];
}

/** The point in time of a URL parameter and its setter; a position of null is now. */
export function usePoint(param: string): readonly [Point, (point: Point) => void] {
  const [search, setSearch] = useSearchParams();
  const set = useCallback(
    ({ position, asked }: Point) =>
      setSearch(
        () => {
          // Not the parameters of the last render: another field may have changed its own meanwhile.
          const now = new URLSearchParams(window.location.search);
          for (const name of [param, askedOf(param)]) now.delete(name);
          if (position !== null) now.set(param, String(position));
          if (position !== null && asked !== null) now.set(askedOf(param), asked);
          return now;
        },
        { preventScrollReset: true, replace: true },
      ),
    [param, setSearch],
  );
  return [readPoint(search, param), set];
}

/** The selected point in time and its setter; null is now. */
export function useAt(): readonly [number | null, (at: number | null) => void] {
  const [{ position }, set] = usePoint(AT_PARAM);
  return [position, useCallback((at) => set({ position: at, asked: null }), [set])];
}

/** What people typed as a point in time, or why it is none. */
export async function findPoint(typed: string): Promise<Point | { readonly fault: string }> {
  const point = readTypedTime(typed, Date.now());
  if (point === null) return { fault: `${typed} is not a position or time.` };
  if ('position' in point) {
    const { head } = await api.call('pointInTime', { query: {} });
    const { position } = point;
    if (position > head.position) return { fault: `The ledger ends at #${head.position}.` };
    return { position, asked: null };
  }
  const { time } = point;
  if (Date.parse(time) > Date.now())
    return { fault: `${dateTimeText(time)} UTC is in the future.` };
  const { at, first } = await api.call('pointInTime', { query: { at: time } });
  if (at.position === 0)
    return { fault: `The ledger begins at ${dateTimeText(first.time ?? '')} UTC.` };
  return { position: at.position, asked: time };
}

/** The selected point in time as a query parameter; empty for now. */
export function useAtQuery(): { readonly at?: number } {
  const [at] = useAt();
  return at === null ? {} : { at };
}

/** Returns a function that adds the selected point in time to a path. */
export function useHere(): (path: string) => string {
  const [{ position, asked }] = usePoint(AT_PARAM);
  return useCallback(
    (path) => {
      if (position === null) return path;
      const time = asked === null ? '' : `&${askedOf(AT_PARAM)}=${encodeURIComponent(asked)}`;
      return `${path}${path.includes('?') ? '&' : '?'}${AT_PARAM}=${position}${time}`;
    },
    [position, asked],
  );
}
