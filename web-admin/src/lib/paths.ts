/** The URL paths of the console. */
export const paths = {
  overview: '/overview',
  explorer: '/explorer',
  event: '/events/:position',
  travel: '/travel',
  replay: '/replay',
  players: '/players',
  player: '/players/:wallet',
  account: '/accounts/:account',
  withdrawals: '/withdrawals',
  withdrawal: '/withdrawals/:withdrawal',
  unmatched: '/unmatched',
  switches: '/switches',
  solvency: '/solvency',
  games: '/games',
  health: '/engine',
  configuration: '/configuration',
  operators: '/operators',
} as const;

export type PageName = keyof typeof paths;

/**
 * What a page shows while a past point in time is selected: `then`: its figures of that moment (parts that cannot are within
 * `<Now>`); `now`: current figures, grey and labelled; `record`: one event, which never changes.
 */
export const PAST: Readonly<Record<PageName, 'then' | 'now' | 'record'>> = {
  overview: 'now',
  explorer: 'then',
  event: 'record',
  travel: 'then',
  replay: 'now',
  players: 'then',
  player: 'then',
  account: 'then',
  withdrawals: 'now',
  withdrawal: 'now',
  unmatched: 'now',
  switches: 'now',
  solvency: 'then',
  games: 'now',
  health: 'now',
  configuration: 'now',
  operators: 'now',
};

/** URL parameter of every page: the selected point in time, a position. */
export const AT_PARAM = 'at';
/** URL parameter: the filter of the explorer, as tokens. */
export const FILTER_PARAM = 'q';
/** URL parameter: the event shown next to the list. */
export const SELECTED_PARAM = 'event';

export const eventPath = (position: number) => `/events/${position}`;
export const playerPath = (wallet: string) => `/players/${encodeURIComponent(wallet)}`;
export const accountPath = (account: string) => `/accounts/${encodeURIComponent(account)}`;
export const withdrawalPath = (id: string) => `/withdrawals/${encodeURIComponent(id)}`;

/** Explorer with a filter, such as `round:7` or `type:BetWon game:snake`. */
export const explorerPath = (tokens: string) =>
  `${paths.explorer}?${new URLSearchParams({ [FILTER_PARAM]: tokens })}`;

export const PAGE_NAMES = {
  overview: 'Overview',
  explorer: 'Explorer',
  travel: 'Time travel',
  replay: 'Replay',
  players: 'Players',
  withdrawals: 'Withdrawals',
  unmatched: 'Unmatched deposits',
  switches: 'Switches',
  solvency: 'Solvency',
  games: 'Games & return',
  health: 'System health',
  configuration: 'Configuration',
  operators: 'Operators',
};
