import { markOf } from './names.ts';

/** Icon paths in 24 x 24; drawn, since an emoji is an empty box where no font has it. */
const MARKS = [
  'M5 19C5 10 10 5 19 5c0 9-5 14-14 14zm0 0 8-8',
  'M12 3.5c4 4.6 6 7.7 6 10.3a6 6 0 0 1-12 0c0-2.6 2-5.7 6-10.3z',
  'm12 4 2.5 5.1 5.5.8-4 3.9 1 5.6-5-2.7-5 2.7 1-5.6-4-3.9 5.5-.8z',
  'M18.5 14.5A7.5 7.5 0 0 1 9.5 5.5a7.5 7.5 0 1 0 9 9z',
  'M3.5 18.5 9.5 8l3.5 5.5L15.5 10l5 8.5z',
  'M3.5 10c2.8-3 5.6-3 8.5 0s5.7 3 8.5 0M3.5 16c2.8-3 5.6-3 8.5 0s5.7 3 8.5 0',
  'M13 3.5 6 13.5h5L10 20.5l7.5-10.5H12z',
  'M12 4l7 8-7 8-7-8zM5 12h14',
  'M12 20c-4 0-6-2.5-6-6 0-4.5 4-5.5 4-10 4 2 4.5 5 4 7.5 1.5-.5 2-1.5 2-3 1.5 1.5 2 3.5 2 5.5 0 3.5-2 6-6 6z',
  'M12 7.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 1 0 0-9zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2',
  'M12 20.5V8M12 14c-4.5 0-7-2.5-7-7 4.5 0 7 2.5 7 7zm0-2.5c0-4 2-6.5 6.5-6.5 0 4.5-2.5 6.5-6.5 6.5z',
  'M4.5 8.5 8 12l4-7 4 7 3.5-3.5-1.5 10H6z',
] as const;
const TONES = ['text-brass', 'text-mint', 'text-coral', 'text-sky'] as const;

/** A player's icon in a ring; always the same for the same player. */
export function Avatar({ leader, size }: { leader: { public_id: string }; size: number }) {
  const mark = markOf(leader);
  const tone = TONES[Math.floor(mark / MARKS.length) % TONES.length] ?? TONES[0];
  return (
    <svg
      width={size}
      height={size}
      viewBox="-8 -8 40 40"
      aria-hidden="true"
      className={`inline-block shrink-0 ${tone}`}
    >
      <circle cx="12" cy="12" r="19" fill="var(--ink-3)" stroke="var(--line-strong)" />
      <path
        d={MARKS[mark % MARKS.length]}
        fill="currentColor"
        fillOpacity="0.16"
        stroke="currentColor"
        strokeWidth="1.8"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  );
}
