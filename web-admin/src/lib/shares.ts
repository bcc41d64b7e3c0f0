const PERCENT = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** A share (0 to 1) in percent: `96.31 %`. */
export function percentText(share: number): string {
  return `${PERCENT.format(share * 100)} %`;
}
