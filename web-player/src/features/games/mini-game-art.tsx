import type { MiniGame } from '../mini-games/mini-game.ts';

/** A glimpse of each field, in the colours that it is played in; drawn, not a round that anyone played. */
export function MiniGameArt({ game }: { game: MiniGame }) {
  const Drawing = DRAWINGS[game];
  return (
    <svg viewBox="0 0 240 96" aria-hidden="true" className="mini-art">
      <Drawing />
    </svg>
  );
}

const BLOCK = 16;
/** Column, row, colour: two pieces at rest, one that falls. */
const BLOCKS = [
  ...cells('#e9c64c', [4, 4], [5, 4], [4, 5], [5, 5]),
  ...cells('#6f8ff0', [6, 5], [7, 5], [8, 5], [8, 4]),
  ...cells('#ef6f7d', [9, 4], [10, 4], [10, 5], [11, 5]),
  ...cells('#4cd6a0', [7, 3], [8, 3], [6, 4], [7, 4]),
  ...cells('#b685e8', [8, 1], [9, 1], [10, 1], [9, 0]),
];

function cells(fill: string, ...places: readonly (readonly [number, number])[]) {
  return places.map(([x, y]) => ({ x: x * BLOCK - 8, y: y * BLOCK, fill }));
}

function Blocks() {
  return BLOCKS.map(({ x, y, fill }) => (
    <g key={`${x} ${y}`}>
      <rect x={x + 1} y={y + 1} width={BLOCK - 2} height={BLOCK - 2} rx="2.5" fill={fill} />
      <path
        d={`M${x + 3.5} ${y + 12}V${y + 3.5}H${x + 12}`}
        fill="none"
        stroke="#fff"
        strokeOpacity=".45"
        strokeWidth="1.4"
      />
    </g>
  ));
}

function Snake() {
  return (
    <>
      <path
        d="M56 72h32V40h40v24h40V32h8"
        fill="none"
        stroke="var(--mint)"
        strokeWidth="13"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="178" cy="32" r="9.5" fill="var(--brass)" />
      <circle cx="180" cy="28.5" r="1.7" fill="#11141a" />
      <circle cx="180" cy="35.5" r="1.7" fill="#11141a" />
      <circle cx="208" cy="32" r="7" fill="var(--coral)" />
      <path d="M208 26q1-5 5-5.5" fill="none" stroke="var(--mint)" strokeWidth="2.4" />
      <circle cx="205.6" cy="29.6" r="1.9" fill="#fff" fillOpacity=".6" />
    </>
  );
}

const TILE = 26;
/** As the field is written in the round: hidden, open, a flag, how many mines touch it. */
const ROWS = ['##1 1##', '#F2 2F#', '###1###'];
const DIGITS: Readonly<Record<string, string>> = { 1: 'var(--sky)', 2: 'var(--mint)' };

function Mines() {
  return ROWS.flatMap((row, y) =>
    [...row].map((look, x) => {
      const isHidden = look === '#' || look === 'F';
      return (
        <g key={`${x} ${y}`} transform={`translate(${29 + x * TILE} ${9 + y * TILE})`}>
          <rect
            x="1"
            y="1"
            width={TILE - 2}
            height={TILE - 2}
            rx="4"
            fill={isHidden ? 'var(--line-strong)' : 'var(--ink-1)'}
          />
          {look === 'F' && <path d="M11 20V6l8 4-8 4z" fill="var(--brass)" stroke="var(--brass)" />}
          {look in DIGITS && (
            <text
              x="13"
              y="18"
              textAnchor="middle"
              fontSize="14"
              fontWeight="700"
              fill={DIGITS[look]}
            >
              {look}
            </text>
          )}
        </g>
      );
    }),
  );
}

const DRAWINGS = { tetris: Blocks, snake: Snake, minesweeper: Mines } as const;
