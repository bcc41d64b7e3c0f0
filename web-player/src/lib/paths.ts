/** Every address of the app, once, but those of the games (`pathOf`); the slot machine's, which many pages link to. */
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
} as const;

/** Former and short names, and where they lead now. */
export const aliases: Readonly<Record<string, string>> = {
  '/home': paths.home,
  '/slot': paths.slotMachine,
};

/** Opens the proof of a round over whatever page is shown: `?round=<id>`. */
export const ROUND_PARAM = 'round';
/** The same for any event of the player's own: `?event=<position>`. */
export const EVENT_PARAM = 'event';
