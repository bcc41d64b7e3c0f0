/** The URL paths of the console. */
export const paths = {
  overview: '/overview',
  explorer: '/explorer',
  event: '/events/:position',
  travel: '/travel',
  players: '/players',
  player: '/players/:wallet',
  withdrawals: '/withdrawals',
  withdrawal: '/withdrawals/:withdrawal',
  unmatched: '/unmatched',
  approvals: '/approvals',
  house: '/house',
  audit: '/audit',
  configuration: '/configuration',
} as const;

export type PageName = keyof typeof paths;

/** Earlier addresses that people may have kept, and where their contents are now. The query is kept. */
export const MOVED: Readonly<Record<string, string>> = {
  '/engine': paths.overview,
  '/switches': paths.overview,
  '/replay': paths.audit,
  '/solvency': paths.house,
  '/games': paths.house,
  '/reports': paths.house,
  '/accounts/:account': paths.house,
  '/operators': paths.configuration,
};

/**
 * What a page shows while a past point in time is selected: `then`: its figures of that moment (parts that cannot are within
 * `<Now>`); `now`: current figures, grey and labelled; `record`: one event, which never changes.
 */
export const PAST: Readonly<Record<PageName, 'then' | 'now' | 'record'>> = {
  overview: 'now',
  explorer: 'then',
  event: 'record',
  travel: 'then',
  players: 'then',
  player: 'then',
  withdrawals: 'now',
  withdrawal: 'now',
  unmatched: 'now',
  approvals: 'now',
  house: 'then',
  audit: 'now',
  configuration: 'now',
};

/** URL parameter of every page: the selected point in time, a position. */
export const AT_PARAM = 'at';
/** URL parameter: the filter of the explorer, as tokens. */
export const FILTER_PARAM = 'q';
/** URL parameter: the account shown on the page of the house. */
export const ACCOUNT_PARAM = 'account';
/** URL parameter: the event shown next to the list. */
export const SELECTED_PARAM = 'event';

export const eventPath = (position: number) => `/events/${position}`;
export const playerPath = (wallet: string) => `/players/${encodeURIComponent(wallet)}`;
export const withdrawalPath = (id: string) => `/withdrawals/${encodeURIComponent(id)}`;

/** An account of the house, or the player whose account it is. */
export const accountPath = (account: string) =>
  account.startsWith('player:')
    ? playerPath(account.slice('player:'.length))
    : `${paths.house}?${ACCOUNT_PARAM}=${encodeURIComponent(account)}`;

/** The field of a value of the configuration. */
export const settingPath = (path: string) => `${paths.configuration}#${path}`;

/** Explorer with a filter, such as `round:7` or `type:BetWon game:snake`. */
export const explorerPath = (tokens: string) =>
  `${paths.explorer}?${new URLSearchParams({ [FILTER_PARAM]: tokens })}`;

export const PAGE_NAMES = {
  overview: 'Overview',
  explorer: 'Explorer',
  travel: 'Time travel',
  players: 'Players',
  withdrawals: 'Withdrawals',
  unmatched: 'Unmatched deposits',
  approvals: 'Approvals',
  house: 'House',
  audit: 'Audit',
  configuration: 'Configuration',
};
