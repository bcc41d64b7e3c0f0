import type { Paint, ToneSet } from './drawing.tsx';

export const crownTones: ToneSet = {
  body: {
    from: [28, 40],
    to: [132, 124],
    stops: [
      [0, '#ff9ab6'],
      [0.45, '#ef4f7d'],
      [1, '#a51f55'],
    ],
  },
  shade: {
    from: [40, 40],
    to: [130, 120],
    stops: [
      [0, '#d63a6c', 0.55],
      [1, '#6f0f3a', 0.75],
    ],
  },
  back: {
    from: [40, 40],
    to: [120, 100],
    stops: [
      [0, '#a72258'],
      [1, '#5f0d36'],
    ],
  },
  band: {
    from: [34, 104],
    to: [128, 136],
    stops: [
      [0, '#ffc6d6'],
      [0.35, '#f0648d'],
      [1, '#8b1548'],
    ],
  },
  rim: {
    from: [26, 36],
    to: [130, 120],
    stops: [
      [0, '#fff3f7'],
      [0.5, '#ffc4d5', 0.7],
      [1, '#ff8fb0', 0.15],
    ],
  },
  pearl: {
    from: [-8, -8],
    to: [8, 9],
    stops: [
      [0, '#ffffff'],
      [0.45, '#ffbdd0'],
      [1, '#c5346a'],
    ],
  },
  gem: {
    from: [72, 110],
    to: [88, 130],
    stops: [
      [0, '#fff7e2'],
      [0.5, '#ffd479'],
      [1, '#c77f1d'],
    ],
  },
};

const BODY = 'M20 54L50 82L80 34L110 82L140 54L126 112Q80 130 34 112Z';
/** The half of each point that turns its back on the light. */
const AWAY_FROM_LIGHT = [
  'M20 54L50 82L56 118Q44 116 34 112Z',
  'M80 34L110 82L104 118Q92 121 80 121Z',
  'M140 54L126 112Q120 115 113 117L118 76Z',
].join('');
const BAND = 'M33 110Q80 129 127 110L124 130Q80 149 36 130Z';
const PEARLS = [
  [20, 50, 0.95],
  [80, 28, 1.15],
  [140, 50, 0.95],
] as const;

/** Symbol 2: a crown of rose enamel; the far side of the circlet shows between the points. */
export function Crown({ paint, fine }: { readonly paint: Paint; readonly fine: boolean }) {
  return (
    <g>
      <path
        d="M36 96L50 50L66 82L94 82L110 50L124 96Z"
        fill={paint('back')}
        stroke={paint('back')}
        strokeWidth="4"
        strokeLinejoin="round"
      />
      <path
        d={BODY}
        fill={paint('body')}
        stroke={paint('body')}
        strokeWidth="5"
        strokeLinejoin="round"
      />
      <path d={AWAY_FROM_LIGHT} fill={paint('shade')} />
      <path
        d={BODY}
        fill="none"
        stroke={paint('rim')}
        strokeWidth={fine ? 2.5 : 5}
        strokeLinejoin="round"
      />
      <path
        d={BAND}
        fill={paint('band')}
        stroke={paint('band')}
        strokeWidth="4"
        strokeLinejoin="round"
      />
      {fine && (
        <path
          d="M34 111Q80 130 126 111"
          fill="none"
          stroke="#fff0f5"
          strokeWidth="2.5"
          strokeLinecap="round"
          opacity=".8"
        />
      )}
      <ellipse cx="80" cy="130" rx={fine ? 9 : 11} ry={fine ? 6.5 : 8} fill={paint('gem')} />
      {fine && (
        <path
          d="M50 120L58 125L50 131L43 124ZM110 120L117 124L110 131L102 125Z"
          fill={paint('gem')}
          opacity=".9"
        />
      )}
      {PEARLS.map(([x, y, scale]) => (
        <circle
          key={x}
          r="10"
          fill={paint('pearl')}
          transform={`translate(${x} ${y}) scale(${scale})`}
        />
      ))}
    </g>
  );
}
