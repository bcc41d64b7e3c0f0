/** All times are UTC, as in exports and audits. */

/** `14:32:07.412`, or `2026-11-17 14:32:07` if it is not the day of `now`. */
export function timeText(iso: string, now: Date = new Date()): string {
  const day = iso.slice(0, 10);
  const time = iso.slice(11, 23);
  return day === now.toISOString().slice(0, 10) ? time : `${day} ${time.slice(0, 8)}`;
}

/** `2026-11-17 14:32:07.412` */
export function dateTimeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/** The time in the zone of this browser: `16:32:07 GMT+2`, with the day if it differs from that in UTC. */
export function localText(iso: string): string {
  const at = new Date(iso);
  const time = at.toLocaleTimeString('en-GB', { timeStyle: 'long' });
  const day = at.toLocaleDateString('en-CA');
  return day === iso.slice(0, 10) ? time : `${day} ${time}`;
}

/** `2026-11-17 14:32:07` of a time in ms since 1970. */
export function clockText(ms: number): string {
  return dateTimeText(new Date(ms).toISOString()).slice(0, 19);
}

/** A duration in one unit: `340 ms`, `12 s`, `3 min`, `5 h`, `2 d`. */
export function agoText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** The day `days` before today, `YYYY-MM-DD` in UTC. */
export function dayBefore(days: number, now: Date = new Date()): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}
