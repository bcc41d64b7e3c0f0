import { type Paint, polar, type ToneSet } from './drawing.tsx';

const CX = 98;
const CY = 62;
const TILT = 14;

export const cometTones: ToneSet = {
  tail: {
    from: [104, 56],
    to: [12, 150],
    stops: [
      [0, '#ffdf7e'],
      [0.45, '#f2a531'],
      [0.8, '#c9631b', 0.85],
      [1, '#a8431a', 0.25],
    ],
  },
  core: {
    from: [96, 66],
    to: [34, 128],
    stops: [
      [0, '#fff6d0'],
      [0.6, '#ffd25e', 0.9],
      [1, '#ffb02e', 0],
    ],
  },
  light: {
    from: [56, 18],
    to: [130, 100],
    stops: [
      [0, '#fffbe6'],
      [0.55, '#ffe08a'],
      [1, '#f7bd45'],
    ],
  },
  mid: {
    from: [56, 18],
    to: [140, 110],
    stops: [
      [0, '#ffd766'],
      [0.55, '#f3ab34'],
      [1, '#d9831f'],
    ],
  },
  deep: {
    from: [60, 20],
    to: [140, 112],
    stops: [
      [0, '#e79a2b'],
      [0.5, '#c2701b'],
      [1, '#8f4712'],
    ],
  },
  rim: {
    from: [54, 16],
    to: [136, 108],
    stops: [
      [0, '#fffdf2'],
      [0.5, '#ffe9ac', 0.75],
      [1, '#ffcf6b', 0.15],
    ],
  },
};

/** Facets of the star, arm by arm: the side that faces the light, then the side that does not. */
const FACETS = ['light', 'mid', 'mid', 'deep', 'deep', 'deep', 'mid', 'deep', 'light', 'mid'];

function point(index: number): string {
  const arm = index % 2 === 0;
  return polar(CX, CY, arm ? 52 : 25, TILT + index * 36).join(' ');
}

const OUTLINE = `M${Array.from({ length: 10 }, (_, i) => point(i)).join('L')}Z`;

/** Symbol 1: a star of brass with its tail, falling out of the light. */
export function Comet({ paint, fine }: { readonly paint: Paint; readonly fine: boolean }) {
  return (
    <g>
      <path d="M58 44C44 76 30 112 10 152C48 132 84 118 120 100Z" fill={paint('tail')} />
      {fine && (
        <path d="M46 62C36 82 24 98 8 112C22 108 40 98 58 84Z" fill={paint('tail')} opacity=".7" />
      )}
      {fine && (
        <path
          d="M82 112C70 126 58 138 46 150C66 142 84 130 100 112Z"
          fill={paint('tail')}
          opacity=".7"
        />
      )}
      <path d="M74 60C58 88 46 108 28 134C58 114 82 98 108 86Z" fill={paint('core')} />
      <path
        d={OUTLINE}
        fill={paint('mid')}
        stroke={paint('mid')}
        strokeWidth="9"
        strokeLinejoin="round"
      />
      {FACETS.map((tone, i) => (
        <path key={i} d={`M${CX} ${CY}L${point(i)}L${point(i + 9)}Z`} fill={paint(tone)} />
      ))}
      <path
        d={OUTLINE}
        fill="none"
        stroke={paint('rim')}
        strokeWidth={fine ? 3 : 6}
        strokeLinejoin="round"
      />
    </g>
  );
}
