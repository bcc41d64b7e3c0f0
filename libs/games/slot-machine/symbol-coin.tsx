import type { Paint, ToneSet } from './drawing.tsx';

export const coinTones: ToneSet = {
  edge: {
    from: [30, 30],
    to: [134, 140],
    stops: [
      [0, '#7fb2ec'],
      [0.5, '#2c5fa8'],
      [1, '#122f63'],
    ],
  },
  face: {
    from: [30, 24],
    to: [126, 132],
    stops: [
      [0, '#e3f1ff'],
      [0.4, '#85b9f4'],
      [1, '#2f68b8'],
    ],
  },
  well: {
    from: [40, 36],
    to: [118, 122],
    stops: [
      [0, '#3b76c6'],
      [0.55, '#5b97de'],
      [1, '#9dccfb'],
    ],
  },
  mark: {
    from: [54, 44],
    to: [104, 116],
    stops: [
      [0, '#ffffff'],
      [0.5, '#d9ebff'],
      [1, '#9cc5f5'],
    ],
  },
  rim: {
    from: [28, 22],
    to: [128, 134],
    stops: [
      [0, '#ffffff'],
      [0.5, '#cfe5ff', 0.7],
      [1, '#8cbcf5', 0.15],
    ],
  },
};

const B = [
  'M60 46H84C97 46 105 53 105 64C105 71 101 76 95 78C103 80 108 86 108 95C108 107',
  ' 99 114 85 114H60Z',
  'M75 58V73H83C88 73 90 70 90 65.5C90 61 88 58 83 58Z',
  'M75 85V102H84C89.5 102 92.5 99 92.5 93.5C92.5 88 89.5 85 84 85Z',
].join('');

/** Symbol 4: a coin of blue steel with the B of BSM standing up from its field. */
export function Coin({ paint, fine }: { readonly paint: Paint; readonly fine: boolean }) {
  return (
    <g>
      <circle cx="83" cy="84" r="62" fill={paint('edge')} />
      <circle cx="78" cy="78" r="62" fill={paint('face')} />
      {fine && (
        <circle
          cx="78"
          cy="78"
          r="55.5"
          fill="none"
          stroke="#1d4a8f"
          strokeWidth="5"
          strokeDasharray="2 5.264"
          opacity=".4"
        />
      )}
      <circle cx="78" cy="78" r={fine ? 49 : 52} fill={paint('well')} />
      {fine && (
        <circle
          cx="78"
          cy="78"
          r="49"
          fill="none"
          stroke="#1d4a8f"
          strokeWidth="1.5"
          opacity=".5"
        />
      )}
      <g transform={fine ? 'translate(-4 -2)' : 'translate(-18 -16) scale(1.16)'}>
        <path d={B} fill="#123a78" opacity=".75" transform="translate(2.5 3.5)" />
        <path d={B} fill={paint('mark')} fillRule="evenodd" />
      </g>
      <circle
        cx="78"
        cy="78"
        r={fine ? 61 : 60}
        fill="none"
        stroke={paint('rim')}
        strokeWidth={fine ? 2.5 : 5}
      />
    </g>
  );
}
