/** What the settings of seals and anchors come to. */
const MINUTE_MS = 60_000;

/** When the auditor seals: after so many events, or when the oldest unsealed one is of that age. */
export function sealTermsOf(settings: {
  readonly sealEveryEvents: number;
  readonly sealEveryMinutes: number;
}): { readonly everyEvents: number; readonly everyMs: number } {
  const { sealEveryEvents: everyEvents, sealEveryMinutes } = settings;
  return { everyEvents, everyMs: sealEveryMinutes * MINUTE_MS };
}

/** Least time between two anchors; null where none are wanted. */
export function anchorEveryMsOf(settings: { readonly anchorEveryMinutes: number }): number | null {
  const { anchorEveryMinutes: minutes } = settings;
  return minutes === 0 ? null : minutes * MINUTE_MS;
}
