// Runs before the first paint, so that a light page never flashes dark, and selects what is shown until the app has
// loaded: home for a new visitor of home, else the loading screen.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
  const known = localStorage.getItem('token') || localStorage.getItem('language') === 'zh';
  if (location.pathname === '/' && !known) document.documentElement.dataset.first = 'home';
} catch {
  // Blocked storage: the dark theme and the loading screen.
}
document.addEventListener('click', (event) => {
  // Pressed before the app has loaded: the app then opens the dialog.
  if (event.target.closest('[data-connect]')) document.documentElement.dataset.wants = 'connect';
});
