// Runs before the first paint, so that a light page never flashes dark, and selects what is shown until the app has
// loaded: home for a new visitor of home, else the loading screen. Requests scripts that only some pages need, while the
// entry still loads; the build lists them.
let language = 'en';
try {
  if (localStorage.getItem('theme') === 'light') document.documentElement.dataset.theme = 'light';
  if (localStorage.getItem('language') === 'zh') language = 'zh';
  const known = localStorage.getItem('token') || language === 'zh';
  if (location.pathname === '/' && !known) document.documentElement.dataset.first = 'home';
} catch {
  // Blocked storage: the dark theme, English and the loading screen.
}
if (language === 'zh') document.documentElement.lang = 'zh-CN';
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
  if (event.target.closest('[data-connect]')) document.documentElement.dataset.wants = 'connect';
});
