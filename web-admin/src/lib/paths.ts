interface PageData {
  readonly path: `/${string}`;
  /**
   * What it shows while a past point in time is selected: `then`: its figures of that moment (parts that cannot are within
   * `<Now>`); `now`: current figures, grey and labelled; `record`: one event, which never changes.
   */
  readonly past: 'then' | 'now' | 'record';
  /** In the navigation; without it the page is reached from others. */
  readonly title?: string;
  /** Pressing `g`, then this letter, opens the page. */
  readonly letter?: string;
  /** Heading in the navigation above the page and those that follow. */
  readonly heading?: string;
}

/** The pages of the console, in the order of the navigation. */
export const PAGES = {
  overview: { path: '/overview', past: 'now', title: 'Overview', letter: 'v' },
  explorer: { path: '/explorer', past: 'then', title: 'Explorer', letter: 'e' },
  event: { path: '/events/:position', past: 'record' },
  travel: { path: '/travel', past: 'then', title: 'Time travel', letter: 't' },
  players: { path: '/players', past: 'then', title: 'Players', letter: 'p' },
  player: { path: '/players/:wallet', past: 'then' },
  withdrawals: {
    path: '/withdrawals',
    past: 'now',
    title: 'Withdrawals',
    letter: 'w',
    heading: 'Payments',
  },
  withdrawal: { path: '/withdrawals/:withdrawal', past: 'now' },
  deposits: { path: '/deposits', past: 'now', title: 'Deposits', letter: 'd' },
  house: { path: '/house', past: 'then', title: 'House', letter: 'h' },
  approvals: {
    path: '/approvals',
    past: 'now',
    title: 'Approvals',
    letter: 'o',
    heading: 'System',
  },
  audit: { path: '/audit', past: 'now', title: 'Audit', letter: 'a' },
  configuration: { path: '/configuration', past: 'now', title: 'Configuration', letter: 'c' },
} as const satisfies Readonly<Record<string, PageData>>;

export type PageName = keyof typeof PAGES;
export const pages: readonly (readonly [PageName, PageData])[] = Object.entries(PAGES) as never;

/** The URL path of each page. */
export const paths = Object.fromEntries(pages.map(([name, { path }]) => [name, path])) as {
  readonly [Name in PageName]: (typeof PAGES)[Name]['path'];
};

/** Deposits in a state, or that a text finds. */
export const depositsPath = (query: { readonly state: string } | { readonly q: string }) =>
  `${paths.deposits}?${new URLSearchParams(query)}`;

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
  '/unmatched': depositsPath({ state: 'unmatched' }),
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
