// Runs before the first paint, so that a light page never flashes dark, and selects what is shown until the app has
// loaded: home for a new visitor of home, else the loading screen. Requests scripts that only some pages need, while the
// entry still loads; the build lists them.
// Colours and language are the player's choice, else the browser's preference.
const kept = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};
const isLight = matchMedia('(prefers-color-scheme: light)').matches;
if ((kept('theme') ?? (isLight ? 'light' : 'dark')) === 'light') {
  document.documentElement.dataset.theme = 'light';
  document.querySelector('meta[name="theme-color"]').content = '#f7f5f0';
}
const languages = [kept('language'), ...navigator.languages].map((one) => one?.slice(0, 2));
const language = languages.find((one) => one === 'zh' || one === 'en') ?? 'en';
if (language === 'zh') document.documentElement.lang = 'zh-CN';
if (location.pathname === '/' && language === 'en' && !kept('token')) {
  document.documentElement.dataset.first = 'home';
}
const scripts = JSON.parse(document.currentScript.dataset.scripts ?? '{}');
const isHome = location.pathname === '/';
for (const name of [location.pathname, language, isHome ? '' : `${language}-pages`]) {
  for (const href of scripts[name] ?? []) {
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', href });
    link.crossOrigin = '';
    document.head.append(link);
  }
}
document.addEventListener('click', (event) => {
  // Pressed before the app has loaded: the app then opens the dialog.
  const button = event.target.closest('[data-connect]');
  if (!button) return;
  document.documentElement.dataset.wants = 'connect';
  button.textContent = button.dataset.connect;
});
