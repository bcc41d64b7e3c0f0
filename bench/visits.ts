/** First visits to the built pages, each by a new visitor without a cache: bytes on the wire, and times. */
import type { Session } from '@reelbook/contract/player/profile';
import { must, readSentence } from '@reelbook/simulator/client/api';
import { createWallet } from '@reelbook/testing/wallets';
import type { Browser, BrowserContext, Page } from 'playwright-core';

/** On the wire, in KB with response headers; `spin` is a signed-in player on the slot machine until a press places a bet. */
export const BUDGETS_KB = { homeScripts: 120, homeAll: 230, spinScripts: 170 };
/** Of each of the two visits. */
export const SCRIPT_FILES_MAX = 12;

/** Slow-down factor of the processor, and latency of each request. */
export interface Conditions {
  readonly slow: number;
  readonly latencyMs: number;
}

/** KB that a page received, by kind; messages of the live channel are not counted. */
export interface Wire {
  readonly requests: number;
  readonly scriptFiles: number;
  readonly scripts: number;
  readonly fonts: number;
  readonly styles: number;
  readonly all: number;
}

type State = Awaited<ReturnType<BrowserContext['storageState']>>;

const UNTHROTTLED: Conditions = { slow: 1, latencyMs: 0 };
const KINDS = { Script: 'scripts', Font: 'fonts', Stylesheet: 'styles' } as const;
const VIEWPORT = { width: 1440, height: 900 };
const BET_PATH = '/game/slot-machine/bet';
const TIMEOUT_MS = 120_000;
const KB = 1_024;

/** The ledger of a site in use has one. Before the first, home shows the paytable. */
const WIN = {
  id: 'win-1',
  game_type: 'slot_machine',
  user_nickname: 'Anna',
  user_id: 'player-1',
  bet_amount: 10,
  multiple: 25,
  win_amount: 250,
  position: 1,
  created_at: new Date().toISOString(),
};

/**
 * Opens home as a new visitor, until the network is idle. `observe` runs in the page before its own scripts; `isEmpty`: before
 * the first big win.
 */
export async function visitHome(
  browser: Browser,
  url: string,
  { conditions = UNTHROTTLED, observe = '', isEmpty = false } = {},
): Promise<{ page: Page; wire: Wire }> {
  const { page, wire } = await open(browser, conditions);
  await page.addInitScript({ content: observe });
  await page.route('**/api/v1/recent-winnings*', (route) =>
    route.fulfill({ json: { code: 200, message: 'success', data: isEmpty ? [] : [WIN] } }),
  );
  await page.goto(url);
  await page.locator('.first-paint').waitFor({ state: 'detached' });
  await page.waitForLoadState('networkidle');
  return { page, wire: wire() };
}

/** The storage of a browser whose player has signed in, chosen a client seed and placed a bet. */
export async function givePlayed(browser: Browser, url: string): Promise<State> {
  const login = createWallet().login(Date.now(), await readSentence(url));
  const { token, user } = await must<Session>(url, '/auth/login', { body: login });
  const localStorage = [
    { name: 'token', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ];
  const state = { cookies: [], origins: [{ origin: url, localStorage }] };
  const { page } = await playSlot(browser, url, state);
  await page.locator('.result-line', { hasText: /You win|Try again!|Jackpot/ }).waitFor();
  const played = await page.context().storageState();
  await page.context().close();
  return played;
}

/**
 * Opens the slot machine as a signed-in player, and presses SPIN as soon as it is enabled. `spinMs`: from the start of the
 * navigation until the request of the bet. `wire` has everything that was requested before it.
 */
export async function playSlot(
  browser: Browser,
  url: string,
  storageState: State,
  conditions = UNTHROTTLED,
): Promise<{ page: Page; wire: Wire; spinMs: number }> {
  const { page, wire } = await open(browser, conditions, storageState);
  await page.addInitScript({ content: PRESS_SPIN });
  const placed = page.waitForResponse((response) => response.url().endsWith(BET_PATH));
  await page.goto(`${url}/slot-machine`);
  const response = await placed;
  if (!response.ok()) throw new Error(`the bet was refused: ${await response.text()}`);
  await page.waitForLoadState('networkidle');
  const spinMs = await page.evaluate(
    (path) =>
      performance.getEntriesByType('resource').find(({ name }) => name.endsWith(path))?.startTime,
    BET_PATH,
  );
  if (spinMs === undefined) throw new Error('the browser has no time of the bet');
  return { page, wire: wire(), spinMs };
}

/** Passed as text, because the TypeScript loader rewrites functions. */
const PRESS_SPIN = `
  (function press() {
    const spin = document.querySelector('.spin[aria-disabled="false"]');
    if (spin) spin.click();
    else setTimeout(press, 5);
  })();
`;

async function open(
  browser: Browser,
  { slow, latencyMs }: Conditions,
  storageState?: State,
): Promise<{ page: Page; wire: () => Wire }> {
  const context = await browser.newContext({
    viewport: VIEWPORT,
    ...(storageState ? { storageState } : {}),
  });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  const kinds = new Map<string, string>();
  const sum = { requests: 0, scriptFiles: 0, scripts: 0, fonts: 0, styles: 0, all: 0 };
  let isOver = false;
  devtools.on('Network.requestWillBeSent', ({ requestId, request, type = '' }) => {
    isOver ||= request.url.endsWith(BET_PATH);
    if (!isOver) kinds.set(requestId, type);
  });
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = kinds.get(requestId);
    if (type === undefined) return;
    const kb = encodedDataLength / KB;
    if (isCounted(type)) sum[KINDS[type]] += kb;
    sum.all += kb;
    sum.requests += 1;
    if (type === 'Script') sum.scriptFiles += 1;
  });
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow });
  return { page, wire: () => ({ ...sum }) };
}

const isCounted = (type: string): type is keyof typeof KINDS => type in KINDS;
