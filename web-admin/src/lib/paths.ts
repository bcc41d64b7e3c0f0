/** Every address of the console, once. */
export const paths = {
  explorer: '/explorer',
  event: '/events/:position',
  travel: '/travel',
  replay: '/replay',
  players: '/players',
  player: '/players/:wallet',
  withdrawals: '/withdrawals',
  withdrawal: '/withdrawals/:withdrawal',
  unmatched: '/unmatched',
  switches: '/switches',
  solvency: '/solvency',
  games: '/games',
  reports: '/reports',
  engine: '/engine',
  configuration: '/configuration',
  operators: '/operators',
} as const;

export type PageName = keyof typeof paths;

/** The moment that is looked at, in the address of every page: a position. */
export const AT_PARAM = 'at';
/** The filter of the explorer, as its tokens. */
export const FILTER_PARAM = 'q';
/** The event that is shown beside the list. */
export const SELECTED_PARAM = 'event';

export const eventPath = (position: number) => `/events/${position}`;
export const playerPath = (wallet: string) => `/players/${encodeURIComponent(wallet)}`;
export const withdrawalPath = (id: string) => `/withdrawals/${encodeURIComponent(id)}`;

/** The events of a filter, as its tokens: `round:7` or `type:BetWon game:snake`. */
export const explorerPath = (tokens: string) =>
  `${paths.explorer}?${new URLSearchParams({ [FILTER_PARAM]: tokens })}`;
