// Runs before the first paint, so that a light page never flashes dark, and decides what stands there until the app does:
// a first visitor of home sees home at once, everyone else the loading screen.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
  const known = localStorage.getItem('token') || localStorage.getItem('language') === 'zh';
  if (location.pathname === '/' && !known) document.documentElement.dataset.first = 'home';
} catch {
  // Blocked storage: the dark theme and the loading screen stand.
}
document.addEventListener('click', (event) => {
  // Pressed before the app could hear it: the app opens the dialog when it comes.
  if (event.target.closest('[data-connect]')) document.documentElement.dataset.wants = 'connect';
});
