/** Why the cashier does not go on with a withdrawal, in English; `{name}` stands for the figure of that name. */
export const HOLDS = {
  paused: 'withdrawals are paused by the operators',
  'needs-operators': 'it waits for operators: {approvals} of {needed} have approved it',
  'sums-behind': 'the sums of the last hours are being caught up with',
  'player-hour-used': "more than is paid without operators: this player's hour is used up",
  'player-day-used': "more than is paid without operators: this player's day is used up",
  'player-count-used':
    'more payments than are made without operators: this player has had theirs for the hour',
  'hour-used': "more than is paid without operators: everybody's hour is used up",
  'day-used': "more than is paid without operators: everybody's day is used up",
  'no-key': 'this cashier has no key of the treasury',
  'not-taken': 'the chain did not take it {attempts} times; an operator looks at it',
  'treasury-short': 'the treasury holds too little BSM now',
  'treasury-low-on-sol': 'the treasury is below its low-water mark of SOL',
  'end-uncertain':
    'it expired, and it is not certain that it never landed; an operator looks at it',
  'may-still-land': 'its attempt before may be on the chain, or still land: it is not signed again',
} as const;

type Named<Text> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Named<Rest>
  : never;

export type HoldCode = keyof typeof HOLDS;

/** Why a withdrawal waits, with the figures that its sentence names: it can be said in any language. */
export type Hold = {
  readonly [Code in HoldCode]: {
    readonly code: Code;
    readonly facts: Readonly<Record<Named<(typeof HOLDS)[Code]>, number>>;
  };
}[HoldCode];
