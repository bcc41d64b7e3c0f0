/** The texts of shared components, in English. */
export const english = {
  close: 'Close',
  dismiss: 'Dismiss',
  loading: 'Loading…',
  loadFailed: 'This could not be loaded.',
  tryAgain: 'Try again',
  light: 'Light',
  dark: 'Dark',
  lessMotion: 'Reduce motion',
  notLoaded: 'This page did not load',
  broken: 'This page has an error',
  reload: 'Reload page',
};
