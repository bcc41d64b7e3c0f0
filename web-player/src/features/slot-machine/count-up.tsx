import { signed } from '@reelbook/web/format';
import { useReducedMotion } from '@reelbook/web/motion';
import { useEffect, useState } from 'react';

const COUNT_UP_MS = 600;

/** Counts up to an amount; the width is the final one from the start. */
export function CountUp({ to }: { to: number }) {
  const isReduced = useReducedMotion();
  const [share, setShare] = useState(isReduced ? 1 : 0);
  useEffect(() => {
    if (isReduced) return;
    let start: number | null = null;
    let frame = requestAnimationFrame(function step(now) {
      // The frame time may precede the request for the frame, so time is measured from the first frame.
      start ??= now;
      const part = Math.min(1, (now - start) / COUNT_UP_MS);
      setShare(1 - (1 - part) ** 3);
      if (part < 1) frame = requestAnimationFrame(step);
    });
    return () => cancelAnimationFrame(frame);
  }, [isReduced]);
  const shown = isReduced ? 1 : share;
  return (
    <span className="count-up" data-final={signed(to)}>
      <span aria-hidden={shown < 1}>{signed(Math.round(to * shown * 100) / 100)}</span>
    </span>
  );
}
