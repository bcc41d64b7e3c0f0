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

/** A picture of the well in its colours, not a real round. */
export function TetrisCard() {
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
