const TILE = 26;
/** In the notation of the round: hidden, open, a flag, the number of adjacent mines. */
const ROWS = ['##1 1##', '#F2 2F#', '###1###'];
const DIGITS: Readonly<Record<string, string>> = { 1: 'var(--sky)', 2: 'var(--mint)' };

/** A picture of the field in its colours, not a real round. */
export function MinesweeperCard() {
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
