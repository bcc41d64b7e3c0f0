import type { Paint, Tone, ToneSet } from './drawing.tsx';

const CX = 80;
const CY = 72;
const LEAF =
  'M0 -2C-9 -14 -31 -20 -33 -43C-34 -61 -14 -67 0 -55C14 -67 34 -61 33 -43C31 -20 9 -14 0 -2Z';
const HALF = 'M0 -2C9 -14 31 -20 33 -43C34 -61 14 -67 0 -55Z';

/** The leaves by their turn in degrees, as drawn: the one nearest to the light lies on top. */
const LEAVES = [
  { turn: 135, tone: 'leaf135' },
  { turn: 225, tone: 'leaf225' },
  { turn: 45, tone: 'leaf45' },
  { turn: 315, tone: 'leaf315' },
] as const;

/** The light of the complete drawing, relative to a turned leaf. */
function lit(turn: number, stops: Tone['stops']): Tone {
  const angle = (-turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [x, y] = [30 * (sin - cos), -30 * (sin + cos)];
  return { from: [x, y - 38], to: [-x, -y - 38], stops };
}

export const cloverTones: ToneSet = {
  leaf315: lit(315, [
    [0, '#b8f7d3'],
    [0.45, '#4fd596'],
    [1, '#17905c'],
  ]),
  leaf45: lit(45, [
    [0, '#93edbd'],
    [0.5, '#35bf80'],
    [1, '#0f7a4c'],
  ]),
  leaf225: lit(225, [
    [0, '#8ae8b6'],
    [0.5, '#2fb679'],
    [1, '#0d7247'],
  ]),
  leaf135: lit(135, [
    [0, '#6cdca2'],
    [0.5, '#24a56b'],
    [1, '#0a6340'],
  ]),
  rim315: lit(315, [
    [0, '#f4fff8'],
    [0.6, '#a9f2c9', 0.6],
    [1, '#a9f2c9', 0.1],
  ]),
  rim45: lit(45, [
    [0, '#eafff2'],
    [0.6, '#a9f2c9', 0.5],
    [1, '#a9f2c9', 0.1],
  ]),
  rim225: lit(225, [
    [0, '#eafff2'],
    [0.6, '#a9f2c9', 0.5],
    [1, '#a9f2c9', 0.1],
  ]),
  rim135: lit(135, [
    [0, '#c9ffe0'],
    [0.6, '#8fe8b7', 0.45],
    [1, '#8fe8b7', 0.1],
  ]),
  stem: {
    from: [76, 80],
    to: [112, 150],
    stops: [
      [0, '#0d6a43'],
      [0.5, '#2fae75'],
      [1, '#0c6b43'],
    ],
  },
};

/** Symbol 3: a clover with four leaves, each folded along its vein. */
export function Clover({ paint, fine }: { readonly paint: Paint; readonly fine: boolean }) {
  return (
    <g>
      <path
        d="M80 76C84 104 92 128 112 148"
        fill="none"
        stroke={paint('stem')}
        strokeWidth={fine ? 9 : 12}
        strokeLinecap="round"
      />
      {LEAVES.map(({ turn, tone }) => (
        <g key={turn} transform={`translate(${CX} ${CY}) rotate(${turn})`}>
          <path d={LEAF} fill={paint(tone)} />
          <path d={HALF} fill="#053d27" opacity=".22" transform={turn < 180 ? '' : 'scale(-1 1)'} />
          {fine && (
            <path
              d="M0 -8L0 -46M0 -26L-14 -40M0 -26L14 -40"
              fill="none"
              stroke="#d9ffe9"
              strokeWidth="1.8"
              strokeLinecap="round"
              opacity=".45"
            />
          )}
          <path
            d={LEAF}
            fill="none"
            stroke={paint(`rim${turn}`)}
            strokeWidth={fine ? 2.5 : 4}
            strokeLinejoin="round"
          />
        </g>
      ))}
      <circle cx={CX} cy={CY} r="5" fill="#0b5f3c" />
    </g>
  );
}
