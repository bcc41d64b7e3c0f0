/** Intervals of seals and anchors, from the settings. */
const MINUTE_MS = 60_000;

/** When the auditor seals: at this number of unsealed events, or at this age of the oldest one. */
export function sealTermsOf(settings: {
  readonly sealEveryEvents: number;
  readonly sealEveryMinutes: number;
}): { readonly everyEvents: number; readonly everyMs: number } {
  const { sealEveryEvents: everyEvents, sealEveryMinutes } = settings;
  return { everyEvents, everyMs: sealEveryMinutes * MINUTE_MS };
}

/** Minimum time between two anchors; null disables them. */
export function anchorEveryMsOf(settings: { readonly anchorEveryMinutes: number }): number | null {
  const { anchorEveryMinutes: minutes } = settings;
  return minutes === 0 ? null : minutes * MINUTE_MS;
}
