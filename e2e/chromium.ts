import { existsSync } from 'node:fs';

const CANDIDATES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Path of the browser; throws if there is none. */
export function findChromium(): string {
  const found = CANDIDATES.find((path) => path && existsSync(path));
  if (!found) throw new Error('no Chromium found; install it or set CHROMIUM to its path');
  return found;
}
