/** Why a withdrawal waits: the codes, each with its facts. The texts are the contract's. */
export const HOLDS = {
  paused: [],
  'open-finding': [],
  'needs-operators': ['approvals', 'needed'],
  'not-confirmed': ['approvals', 'needed'],
  'state-differs': [],
  'player-hour-used': [],
  'player-day-used': [],
  'player-count-used': [],
  'hour-used': [],
  'day-used': [],
  'no-key': [],
  'not-taken': ['attempts'],
  integrity: [],
  'treasury-short': [],
  'treasury-unexplained': [],
  'treasury-low-on-sol': [],
  'end-uncertain': [],
  'may-still-land': [],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type HoldCode = keyof typeof HOLDS;

/** Why a withdrawal waits: by code and facts it can be shown in any language. */
export type Hold = {
  readonly [Code in HoldCode]: {
    readonly code: Code;
    readonly facts: Readonly<Record<(typeof HOLDS)[Code][number], number>>;
  };
}[HoldCode];
