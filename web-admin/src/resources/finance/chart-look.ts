/** Styles of charts, from the tokens of the theme. */
export const GAME_COLOURS = ['var(--brass)', 'var(--sky)', 'var(--mint)', 'var(--text-3)'] as const;

export const AXIS = {
  tick: { fill: 'var(--text-3)', fontSize: 11 },
  stroke: 'var(--line-strong)',
  tickLine: false,
} as const;

export const TOOLTIP = {
  contentStyle: {
    background: 'var(--ink-2)',
    border: '1px solid var(--line-strong)',
    borderRadius: 8,
    color: 'var(--text)',
    fontSize: 12,
  },
  cursor: { fill: 'var(--ink-3)' },
  isAnimationActive: false,
} as const;
