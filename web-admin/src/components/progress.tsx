/** Progress bar. `share` is 0 to 1. */
export function Progress({ share, label }: { share: number; label: string }) {
  const percent = Math.round(Math.max(0, Math.min(1, share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={percent}
      className="progress"
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  );
}
