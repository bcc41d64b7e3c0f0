const TILE = 26;
/** As the field is written in the round: hidden, open, a flag, how many mines touch it. */
const ROWS = ['##1 1##', '#F2 2F#', '###1###'];
const DIGITS: Readonly<Record<string, string>> = { 1: 'var(--sky)', 2: 'var(--mint)' };

/** A glimpse of the field, in the colours that it is played in; drawn, not a round that anyone played. */
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
