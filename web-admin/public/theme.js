// Runs before the first paint, so that a light page never flashes dark.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
} catch {
  // Blocked storage: the dark theme stands.
}
