// Runs before the first paint, so that the light theme never flashes dark.
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
} catch {
  // Storage is blocked: keeps the dark theme.
}
