import { type ReactElement, useId } from 'react';
import type { SymbolId } from './paytable.ts';

/** Offset from 0 to 1, colour, and opacity where it is not 1. */
type Stop = readonly [offset: number, colour: string, opacity?: number];
type Point = readonly [x: number, y: number];

/** A linear gradient in the drawing's own 160 x 160 units; the light comes from the upper left. */
const tone = (from: Point, to: Point, ...stops: readonly Stop[]) => ({ from, to, stops });

type ToneSet = Readonly<Record<string, ReturnType<typeof tone>>>;

interface DrawProps {
  /** Gives the fill of a tone by its name: ids are unique to each drawn symbol. */
  readonly paint: (tone: string) => string;
  /** Whether fine lines are drawn. */
  readonly fine: boolean;
}

function Tones({ scope, tones }: { readonly scope: string; readonly tones: ToneSet }) {
  return (
    <defs>
      {Object.entries(tones).map(([name, { from, to, stops }]) => (
        <linearGradient
          key={name}
          id={`${scope}${name}`}
          gradientUnits="userSpaceOnUse"
          x1={from[0]}
          y1={from[1]}
          x2={to[0]}
          y2={to[1]}
        >
          {stops.map(([offset, colour, opacity = 1]) => (
            <stop key={offset} offset={offset} stopColor={colour} stopOpacity={opacity} />
          ))}
        </linearGradient>
      ))}
    </defs>
  );
}

/** A line with round corners. */
const Rim = (line: {
  readonly d: string;
  readonly stroke: string;
  readonly strokeWidth: number;
}) => <path fill="none" strokeLinejoin="round" {...line} />;

/** An area with round corners. */
const Rounded = ({ fill, ...area }: { d: string; fill: string; strokeWidth: number }) => (
  <path fill={fill} stroke={fill} strokeLinejoin="round" {...area} />
);

const cometTones: ToneSet = {
  tail: tone(
    [104, 56],
    [12, 150],
    [0, '#ffdf7e'],
    [0.45, '#f2a531'],
    [0.8, '#c9631b', 0.85],
    [1, '#a8431a', 0.25],
  ),
  core: tone([96, 66], [34, 128], [0, '#fff6d0'], [0.6, '#ffd25e', 0.9], [1, '#ffb02e', 0]),
  light: tone([56, 18], [130, 100], [0, '#fffbe6'], [0.55, '#ffe08a'], [1, '#f7bd45']),
  mid: tone([56, 18], [140, 110], [0, '#ffd766'], [0.55, '#f3ab34'], [1, '#d9831f']),
  deep: tone([60, 20], [140, 112], [0, '#e79a2b'], [0.5, '#c2701b'], [1, '#8f4712']),
  rim: tone([54, 16], [136, 108], [0, '#fffdf2'], [0.5, '#ffe9ac', 0.75], [1, '#ffcf6b', 0.15]),
};

/** Facets of the star, arm by arm: the side that faces the light, then the side that does not. */
const FACETS = ['light', 'mid', 'mid', 'deep', 'deep', 'deep', 'mid', 'deep', 'light', 'mid'];
const STAR = { x: 98, y: 62, arm: 52, notch: 25, tilt: 14 } as const;

/** The corners of the star, clockwise from the first arm, which is turned by the tilt from up. */
function corner(index: number): string {
  const radius = index % 2 === 0 ? STAR.arm : STAR.notch;
  const turn = ((STAR.tilt + index * 36 - 90) * Math.PI) / 180;
  const round = (value: number) => Math.round(value * 100) / 100;
  return `${round(STAR.x + radius * Math.cos(turn))} ${round(STAR.y + radius * Math.sin(turn))}`;
}

const OUTLINE = `M${Array.from({ length: 10 }, (_, i) => corner(i)).join('L')}Z`;

/** Symbol 1: a star of brass with its tail, falling out of the light. */
const Comet = ({ paint, fine }: DrawProps) => (
  <g>
    <path d="M58 44C44 76 30 112 10 152C48 132 84 118 120 100Z" fill={paint('tail')} />
    {fine && (
      <path
        d="M46 62C36 82 24 98 8 112C22 108 40 98 58 84ZM82 112C70 126 58 138 46 150C66 142 84 130 100 112Z"
        fill={paint('tail')}
        opacity=".7"
      />
    )}
    <path d="M74 60C58 88 46 108 28 134C58 114 82 98 108 86Z" fill={paint('core')} />
    <Rounded d={OUTLINE} fill={paint('mid')} strokeWidth={9} />
    {FACETS.map((tone, i) => (
      <path key={i} d={`M${STAR.x} ${STAR.y}L${corner(i)}L${corner(i + 9)}Z`} fill={paint(tone)} />
    ))}
    <Rim d={OUTLINE} stroke={paint('rim')} strokeWidth={fine ? 3 : 6} />
  </g>
);

const crownTones: ToneSet = {
  body: tone([28, 40], [132, 124], [0, '#ff9ab6'], [0.45, '#ef4f7d'], [1, '#a51f55']),
  shade: tone([40, 40], [130, 120], [0, '#d63a6c', 0.55], [1, '#6f0f3a', 0.75]),
  back: tone([40, 40], [120, 100], [0, '#a72258'], [1, '#5f0d36']),
  band: tone([34, 104], [128, 136], [0, '#ffc6d6'], [0.35, '#f0648d'], [1, '#8b1548']),
  rim: tone([26, 36], [130, 120], [0, '#fff3f7'], [0.5, '#ffc4d5', 0.7], [1, '#ff8fb0', 0.15]),
  pearl: tone([-8, -8], [8, 9], [0, '#ffffff'], [0.45, '#ffbdd0'], [1, '#c5346a']),
  gem: tone([72, 110], [88, 130], [0, '#fff7e2'], [0.5, '#ffd479'], [1, '#c77f1d']),
};

const BODY = 'M20 54L50 82L80 34L110 82L140 54L126 112Q80 130 34 112Z';
/** The half of each point that turns its back on the light. */
const AWAY_FROM_LIGHT =
  'M20 54L50 82L56 118Q44 116 34 112ZM80 34L110 82L104 118Q92 121 80 121ZM140 54L126 112Q120 115 113 117L118 76Z';
const BAND = 'M33 110Q80 129 127 110L124 130Q80 149 36 130Z';
const PEARLS = [
  'translate(20 50) scale(0.95)',
  'translate(80 28) scale(1.15)',
  'translate(140 50) scale(0.95)',
];

/** Symbol 2: a crown of rose enamel; the far side of the circlet shows between the points. */
const Crown = ({ paint, fine }: DrawProps) => (
  <g>
    <Rounded d="M36 96L50 50L66 82L94 82L110 50L124 96Z" fill={paint('back')} strokeWidth={4} />
    <Rounded d={BODY} fill={paint('body')} strokeWidth={5} />
    <path d={AWAY_FROM_LIGHT} fill={paint('shade')} />
    <Rim d={BODY} stroke={paint('rim')} strokeWidth={fine ? 2.5 : 5} />
    <Rounded d={BAND} fill={paint('band')} strokeWidth={4} />
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
    {PEARLS.map((place) => (
      <circle key={place} r="10" fill={paint('pearl')} transform={place} />
    ))}
  </g>
);

const LEAF =
  'M0 -2C-9 -14 -31 -20 -33 -43C-34 -61 -14 -67 0 -55C14 -67 34 -61 33 -43C31 -20 9 -14 0 -2Z';
const HALF = 'M0 -2C9 -14 31 -20 33 -43C34 -61 14 -67 0 -55Z';
/** The leaves by their turn in degrees, as drawn: the one nearest to the light lies on top. */
const LEAVES = [135, 225, 45, 315];

/** The light of the complete drawing, relative to a turned leaf. */
function lit(turn: number, ...stops: readonly Stop[]) {
  const angle = (-turn * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const [x, y] = [30 * (sin - cos), -30 * (sin + cos)];
  return tone([x, y - 38], [-x, -y - 38], ...stops);
}

const cloverTones: ToneSet = {
  leaf315: lit(315, [0, '#b8f7d3'], [0.45, '#4fd596'], [1, '#17905c']),
  leaf45: lit(45, [0, '#93edbd'], [0.5, '#35bf80'], [1, '#0f7a4c']),
  leaf225: lit(225, [0, '#8ae8b6'], [0.5, '#2fb679'], [1, '#0d7247']),
  leaf135: lit(135, [0, '#6cdca2'], [0.5, '#24a56b'], [1, '#0a6340']),
  rim315: lit(315, [0, '#f4fff8'], [0.6, '#a9f2c9', 0.6], [1, '#a9f2c9', 0.1]),
  rim45: lit(45, [0, '#eafff2'], [0.6, '#a9f2c9', 0.5], [1, '#a9f2c9', 0.1]),
  rim225: lit(225, [0, '#eafff2'], [0.6, '#a9f2c9', 0.5], [1, '#a9f2c9', 0.1]),
  rim135: lit(135, [0, '#c9ffe0'], [0.6, '#8fe8b7', 0.45], [1, '#8fe8b7', 0.1]),
  stem: tone([76, 80], [112, 150], [0, '#0d6a43'], [0.5, '#2fae75'], [1, '#0c6b43']),
};

/** Symbol 3: a clover with four leaves, each folded along its vein. */
const Clover = ({ paint, fine }: DrawProps) => (
  <g>
    <path
      d="M80 76C84 104 92 128 112 148"
      fill="none"
      stroke={paint('stem')}
      strokeWidth={fine ? 9 : 12}
      strokeLinecap="round"
    />
    {LEAVES.map((turn) => (
      <g key={turn} transform={`translate(80 72) rotate(${turn})`}>
        <path d={LEAF} fill={paint(`leaf${turn}`)} />
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
        <Rim d={LEAF} stroke={paint(`rim${turn}`)} strokeWidth={fine ? 2.5 : 4} />
      </g>
    ))}
    <circle cx="80" cy="72" r="5" fill="#0b5f3c" />
  </g>
);

const coinTones: ToneSet = {
  edge: tone([30, 30], [134, 140], [0, '#7fb2ec'], [0.5, '#2c5fa8'], [1, '#122f63']),
  face: tone([30, 24], [126, 132], [0, '#e3f1ff'], [0.4, '#85b9f4'], [1, '#2f68b8']),
  well: tone([40, 36], [118, 122], [0, '#3b76c6'], [0.55, '#5b97de'], [1, '#9dccfb']),
  mark: tone([54, 44], [104, 116], [0, '#ffffff'], [0.5, '#d9ebff'], [1, '#9cc5f5']),
  rim: tone([28, 22], [128, 134], [0, '#ffffff'], [0.5, '#cfe5ff', 0.7], [1, '#8cbcf5', 0.15]),
};

const B = [
  'M60 46H84C97 46 105 53 105 64C105 71 101 76 95 78C103 80 108 86 108 95C108 107',
  ' 99 114 85 114H60Z',
  'M75 58V73H83C88 73 90 70 90 65.5C90 61 88 58 83 58Z',
  'M75 85V102H84C89.5 102 92.5 99 92.5 93.5C92.5 88 89.5 85 84 85Z',
].join('');

interface RingProps {
  readonly r: number;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly strokeDasharray?: string;
  readonly opacity?: string;
}

const Ring = (ring: RingProps) => <circle cx="78" cy="78" fill="none" {...ring} />;

/** Symbol 4: a coin of blue steel with the B of BSM standing up from its field. */
const Coin = ({ paint, fine }: DrawProps) => (
  <g>
    <circle cx="83" cy="84" r="62" fill={paint('edge')} />
    <circle cx="78" cy="78" r="62" fill={paint('face')} />
    {fine && (
      <Ring r={55.5} stroke="#1d4a8f" strokeWidth={5} strokeDasharray="2 5.264" opacity=".4" />
    )}
    <circle cx="78" cy="78" r={fine ? 49 : 52} fill={paint('well')} />
    {fine && <Ring r={49} stroke="#1d4a8f" strokeWidth={1.5} opacity=".5" />}
    <g transform={fine ? 'translate(-4 -2)' : 'translate(-18 -16) scale(1.16)'}>
      <path d={B} fill="#123a78" opacity=".75" transform="translate(2.5 3.5)" />
      <path d={B} fill={paint('mark')} fillRule="evenodd" />
    </g>
    <Ring r={fine ? 61 : 60} stroke={paint('rim')} strokeWidth={fine ? 2.5 : 5} />
  </g>
);

/** Below this size in pixels fine lines are omitted. */
const FINE_FROM_PX = 44;

interface Drawing {
  readonly tones: ToneSet;
  readonly Draw: (props: DrawProps) => ReactElement;
}

const DRAWINGS: Readonly<Record<SymbolId, Drawing>> = {
  1: { tones: cometTones, Draw: Comet },
  2: { tones: crownTones, Draw: Crown },
  3: { tones: cloverTones, Draw: Clover },
  4: { tones: coinTones, Draw: Coin },
};

interface SlotSymbolProps {
  readonly id: SymbolId;
  /** Width and height in CSS pixels. */
  readonly size: number;
  /** The text for screen readers; without one it is decoration. */
  readonly title?: string;
}

/** One of the four symbols, drawn: 1 comet, 2 crown, 3 clover, 4 coin. */
export function SlotSymbol({ id, size, title }: SlotSymbolProps) {
  const scope = useId();
  const { tones, Draw } = DRAWINGS[id];
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 160 160"
      focusable="false"
      role={title === undefined ? 'presentation' : 'img'}
      aria-hidden={title === undefined}
      aria-label={title}
    >
      <Tones scope={scope} tones={tones} />
      <Draw paint={(tone) => `url(#${scope}${tone})`} fine={size >= FINE_FROM_PX} />
    </svg>
  );
}
