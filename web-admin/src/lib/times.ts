/** Times of the console are UTC, so that operators of two places, an export and an auditor say the same. */

/** `14:32:07.412`; with the day before it when it is not that of `now`. */
export function timeText(iso: string, now: Date = new Date()): string {
  const day = iso.slice(0, 10);
  const time = iso.slice(11, 23);
  return day === now.toISOString().slice(0, 10) ? time : `${day} ${time.slice(0, 8)}`;
}

/** `2026-11-17 14:32:07.412` */
export function dateTimeText(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`;
}

/** Seconds in the largest unit that keeps two figures: `340 ms`, `12 s`, `3 min`, `5 h`, `2 d`. */
export function agoText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1_000)} ms`;
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

/** Today and days before it, `YYYY-MM-DD` in UTC. */
export function dayBefore(days: number, now: Date = new Date()): string {
  return new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}
