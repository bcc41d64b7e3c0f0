import { useId } from 'react';

/** Light, body and shadow of gold, silver and bronze; the light comes from the upper left, as on the reels. */
const METALS = {
  1: ['#fff0c4', '#e9b44c', '#8a5a00'],
  2: ['#ffffff', '#b9c3d2', '#5d6878'],
  3: ['#ffe0c8', '#c98555', '#70401e'],
} as const;

/** A medal with the rank; drawn, so that it needs no emoji font. */
export function Medal({ rank, size }: { rank: keyof typeof METALS; size: number }) {
  const id = useId();
  const [light, body, shadow] = METALS[rank];
  return (
    <svg width={size} height={size * 1.25} viewBox="0 0 48 60" aria-hidden="true">
      <defs>
        <linearGradient id={id} x1="0.1" y1="0" x2="0.9" y2="1">
          <stop offset="0" stopColor={light} />
          <stop offset="0.45" stopColor={body} />
          <stop offset="1" stopColor={shadow} />
        </linearGradient>
      </defs>
      <path d="M13 2h9l5 20h-8z" fill="#c23a5a" />
      <path d="M35 2h-9l-5 20h8z" fill="#8f2743" />
      <circle cx="24" cy="39" r="19" fill={`url(#${id})`} />
      <circle cx="24" cy="39" r="14.5" fill="none" stroke={shadow} strokeOpacity="0.55" />
      <circle cx="24" cy="39" r="18.4" fill="none" stroke={light} strokeOpacity="0.6" />
      <text
        x="24"
        y="45.5"
        textAnchor="middle"
        fontFamily="var(--mono)"
        fontSize="18"
        fontWeight="700"
        fill={shadow}
      >
        {rank}
      </text>
    </svg>
  );
}
