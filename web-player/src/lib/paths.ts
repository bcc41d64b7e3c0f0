/**
 * Every path of the app, except those of the games (`pathOf`); the slot machine's is here, since many pages link to it.
 */
export const paths = {
  home: '/',
  games: '/games',
  slotMachine: '/slot-machine',
  wallet: '/wallet',
  profile: '/profile',
  leaderboard: '/leaderboard',
  notifications: '/notifications',
  history: '/history',
  fairness: '/fairness',
  limits: '/limits',
  myData: '/my-data',
  payment: '/payments/:id',
} as const;

/** The page of a withdrawal by its id, or of a deposit by its signature. */
export const paymentPath = (id: string) => paths.payment.replace(':id', id);

/** Former and short paths, and their targets. */
export const aliases: Readonly<Record<string, string>> = {
  '/home': paths.home,
  '/slot': paths.slotMachine,
};

/** The path of the page in the URL. */
export const currentPath = (): string => aliases[location.pathname] ?? location.pathname;

/** Opens the proof of a round over the current page: `?round=<id>`. */
export const ROUND_PARAM = 'round';
/** The same for any event of the player: `?event=<position>`. */
export const EVENT_PARAM = 'event';
