/** What holds on every screen: first visits, keyboards, phones, contrast themes, what failed to load; and the live ledger of home. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, visit } from './browser.ts';
import { landed, PAGES, respond, signIn, waitForText } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, context, page, site, useSite, useVisitor } from './use-site.ts';

/** Thirteen pages, element by element. */
const LONG_MS = 240_000;
const LONG = { timeout: LONG_MS };
const PATIENCE = { timeout: 60_000 };

useSite();
useVisitor();

const signInHere = async () => {
  await installWallet(context);
  await signIn(page, site.url);
};

const spin = () => page.getByRole('button', { name: 'SPIN', exact: true });

describe('the live ledger of home', () => {
  const entries = (on: Page) => on.locator('.entry');
  const newest = async (on: Page) =>
    Number(
      (await entries(on).first().locator('> :first-child').textContent())?.replace(/[#,]/g, ''),
    );

  it('shows each new event to a visitor; a player finds their own marked, with their proof', async () => {
    await signInHere();
    const visitor = await visit(browser, 'phone');
    await visitor.page.goto(site.url);
    await expect.poll(() => entries(visitor.page).count(), PATIENCE).toBe(6);
    const before = await newest(visitor.page);
    await page.goto(`${site.url}/slot-machine`);
    await spin().click();
    await landed(page);
    await expect.poll(() => newest(visitor.page), PATIENCE).toBeGreaterThan(before);
    const texts = await entries(visitor.page).allInnerTexts();
    expect(texts.every((text) => text.includes('verified'))).toBe(true);
    expect(await visitor.page.locator('.entry[data-own="true"]').count()).toBe(0);
    await expectAccessible(visitor.page, 'home of a visitor');
    await visitor.context.close();

    await page.goto(site.url);
    const own = page.locator('.entry[data-own="true"]');
    await own.getByText('yours').first().waitFor();
    await expectAccessible(page, 'home of a player');
    await own.getByRole('link').first().click();
    await page.getByRole('dialog').getByText('Hash').first().waitFor();
  });
});

describe('a first visit', () => {
  const opened = async (options: BrowserContextOptions, kept: Record<string, string> = {}) => {
    const first = await (browser as Browser).newContext({ reducedMotion: 'reduce', ...options });
    await first.addInitScript((items) => {
      for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value);
    }, kept);
    const at = await first.newPage();
    await at.goto(site.url);
    await at.locator('.first-paint').waitFor({ state: 'detached' });
    const { lang, theme } = await at.evaluate(() => ({
      lang: document.documentElement.lang,
      theme: document.documentElement.dataset.theme,
    }));
    const heading = await at.getByRole('heading', { level: 1 }).textContent();
    await first.close();
    return { lang, theme, heading };
  };
  const english = { lang: 'en', heading: 'A slot machine with an open ledger' };
  const chinese = { lang: 'zh-CN', heading: '账本公开的老虎机' };

  it('has the language and the colours that the browser prefers', async () => {
    expect(await opened({ locale: 'zh-CN', colorScheme: 'light' })).toEqual({
      ...chinese,
      theme: 'light',
    });
    expect(await opened({ locale: 'zh-TW', colorScheme: 'dark' })).toEqual({
      ...chinese,
      theme: 'dark',
    });
    expect(await opened({ locale: 'de-DE', colorScheme: 'light' })).toEqual({
      ...english,
      theme: 'light',
    });
  });

  it('a choice overrides them', async () => {
    const kept = { language: 'en', theme: 'dark' };
    expect(await opened({ locale: 'zh-CN', colorScheme: 'light' }, kept)).toEqual({
      ...english,
      theme: 'dark',
    });
  });
});

/** The focused element, if no part of it can be seen; null at the end of the page. */
function hiddenFocus(): { name: string; isHidden: boolean } | null {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const { left, right, top, bottom } = focused.getBoundingClientRect();
  const [x, y] = [Math.max(0, left), Math.max(0, top)];
  const [wide, tall] = [Math.min(innerWidth, right) - x, Math.min(innerHeight, bottom) - y];
  const steps = [0.1, 0.3, 0.5, 0.7, 0.9];
  const isSeen = steps.some((column) =>
    steps.some((row) => {
      const hit = document.elementFromPoint(x + column * wide, y + row * tall);
      return hit !== null && (focused.contains(hit) || hit.contains(focused));
    }),
  );
  return { name: focused.outerHTML.slice(0, 120), isHidden: wide <= 0 || tall <= 0 || !isSeen };
}

it.each([
  { width: 320, height: 568 },
  { width: 320, height: 256 },
  { width: 1280, height: 720 },
])(
  'the focus of the keyboard is never behind a bar, at $width x $height',
  {
    timeout: LONG_MS,
  },
  async (size) => {
    await signInHere();
    await page.setViewportSize(size);
    const hidden: string[] = [];
    for (const path of PAGES) {
      await page.goto(site.url + path);
      await page.getByRole('heading').first().waitFor();
      await expect.poll(() => page.locator('.skeleton').count(), PATIENCE).toBe(0);
      for (const key of ['Tab', 'Shift+Tab']) {
        await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
        for (let n = 0; n < 150; n++) {
          await page.keyboard.press(key);
          const focus = await page.evaluate(hiddenFocus);
          if (!focus) break;
          if (focus.isHidden) hidden.push(`${path} ${key} ${focus.name}`);
        }
      }
    }
    expect(hidden).toEqual([]);
  },
);

it('a phone does not zoom into a field', { timeout: LONG_MS }, async () => {
  const phone = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    colorScheme: 'dark',
  });
  await installWallet(phone);
  const at = await phone.newPage();
  await signIn(at, site.url);
  let fields = 0;
  for (const path of PAGES) {
    await at.goto(site.url + path);
    await at.getByRole('heading').first().waitFor();
    await expect.poll(() => at.locator('.skeleton').count(), PATIENCE).toBe(0);
    const sizes = await at
      .locator('input, select, textarea')
      .evaluateAll((all) => all.map((one) => Number.parseFloat(getComputedStyle(one).fontSize)));
    fields += sizes.length;
    expect(Math.min(16, ...sizes), path).toBe(16);
  }
  expect(fields).toBeGreaterThan(5);
  await phone.close();
});

describe('a contrast theme', () => {
  beforeEach(async () => {
    await signInHere();
    await page.emulateMedia({ forcedColors: 'active' });
  });
  const styleOf = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((one) => {
        const { borderTopWidth, borderTopStyle, backgroundColor } = getComputedStyle(one);
        return { border: `${borderTopWidth} ${borderTopStyle}`, backgroundColor };
      });

  it('has borders on buttons, and marks what is chosen and where the page is', async () => {
    await page.goto(`${site.url}/slot-machine`);
    await spin().waitFor();
    expect(await styleOf('.spin')).toMatchObject({ border: '1px solid' });
    expect(await styleOf('.quick-bet')).toMatchObject({ border: '1px solid' });
    await page.locator('.quick-bet').nth(2).click();
    const current = (await styleOf('nav a[aria-current="page"]')).backgroundColor;
    expect(current).not.toBe((await styleOf('nav a:not([aria-current])')).backgroundColor);
    // After the transition of its colours.
    const chosen = async () => (await styleOf('.quick-bet[aria-pressed="true"]')).backgroundColor;
    await expect.poll(chosen, PATIENCE).toBe(current);
    expect(current).not.toBe((await styleOf('.quick-bet[aria-pressed="false"]')).backgroundColor);
    await page.goto(`${site.url}/profile`);
    await page.getByRole('progressbar').first().waitFor();
    const bar = (await styleOf('[role="progressbar"] > *')).backgroundColor;
    expect(bar).not.toBe((await styleOf('[role="progressbar"]')).backgroundColor);
    await page.goto(`${site.url}/leaderboard`);
    const tab = (await styleOf('[role="tab"][aria-selected="true"]')).backgroundColor;
    expect(tab).not.toBe((await styleOf('[role="tab"][aria-selected="false"]')).backgroundColor);
  });
});

/** TypeScript's library does not have it. */
interface LayoutShift {
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRect;
    readonly currentRect: DOMRect;
  }[];
}

/**
 * Controls that a toast covers though the window has room for it, and toasts outside of the window. What is behind a dialog is
 * no control now.
 */
function badToasts(): string[] {
  const rectOf = (one: Element) => one.getBoundingClientRect();
  const toasts = [...document.querySelectorAll('.toast')].filter((one) => one.checkVisibility());
  if (toasts.length === 0) return ['no toast'];
  const outside = toasts.filter((one) => {
    const { left, right, top, bottom } = rectOf(one);
    return (
      left < 0 || right > document.documentElement.clientWidth || top < 0 || bottom > innerHeight
    );
  });
  const controls = [
    ...document.querySelectorAll('a, button, input, select, textarea, summary'),
  ].filter((one) => one.checkVisibility() && !one.closest('.toasts, [aria-hidden="true"]'));
  const meet = (a: DOMRect, b: DOMRect) =>
    a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;
  const bars = [...document.querySelectorAll('nav, #root > header, .live-state')];
  const taken = [...controls, ...bars].map(rectOf);
  const region = document.querySelector<HTMLElement>('.toasts');
  const [width = 0, height = 0] = [region?.offsetWidth, region?.offsetHeight];
  const gap = 8;
  const hasRoom = [gap, document.documentElement.clientWidth - width - gap].some((x) => {
    for (let y = gap; y + height + gap <= innerHeight; y += 2) {
      const spot = new DOMRect(x - gap, y - gap, width + 2 * gap, height + 2 * gap);
      if (!taken.some((one) => meet(one, spot))) return true;
    }
    return false;
  });
  const covered = controls.filter(
    (control) => hasRoom && toasts.some((toast) => meet(rectOf(control), rectOf(toast))),
  );
  return [...outside, ...covered].map((one) => one.outerHTML.slice(0, 120));
}

describe.each([
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])('at $width x $height', (size) => {
  beforeEach(async () => {
    await signInHere();
    await page.setViewportSize(size);
  });

  it('a toast covers no control, at the top of each page or at its end', LONG, async () => {
    await page.addInitScript(() => {
      // The longer of the two toasts. It stays, however slow the machine is.
      Object.defineProperty(navigator, 'clipboard', { value: undefined });
      const { setTimeout: wait } = window;
      const slower = (act: () => void, ms = 0) => wait(act, ms < 5_000 ? ms : 600_000);
      window.setTimeout = slower as typeof setTimeout;
    });
    const toast = page.locator('.toast', {
      hasText: /Your browser does not allow copying|不允许复制/,
    });
    for (const path of PAGES) {
      await page.goto(site.url + path);
      await page.getByRole('heading').first().waitFor();
      await expect.poll(() => page.locator('.skeleton').count(), PATIENCE).toBe(0);
      for (const to of [0, 100_000]) {
        await page.evaluate((y) => window.scrollTo(0, y), to);
        await page.getByRole('banner').locator('summary').click();
        await page.getByRole('button', { name: /^(Copy address|复制地址)$/ }).click();
        await toast.waitFor();
        await expect
          .poll(() => page.evaluate(badToasts), { ...PATIENCE, message: path })
          .toEqual([]);
        await page.mouse.wheel(0, to === 0 ? 300 : -300);
        await expect.poll(() => page.evaluate(badToasts), PATIENCE).toEqual([]);
      }
    }
  });

  it('a toast covers no control of an open dialog', async () => {
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('button', { name: 'Exchange' }).click();
    const dialog = page.getByRole('dialog', { name: 'Exchange' });
    await dialog.getByRole('button', { name: 'MAX' }).click();
    await respond(page, '/transaction/exchange', { status: 422, message: 'switched off' });
    await dialog.getByRole('button', { name: 'Exchange' }).click();
    await page.locator('.toast', { hasText: 'Exchange failed: switched off' }).waitFor();
    expect(await page.evaluate(badToasts)).toEqual([]);
  });

  it('the first spins move nothing on the page', LONG, async () => {
    await page.goto(`${site.url}/slot-machine`);
    await spin().waitFor();
    await expect.poll(() => page.locator('.skeleton').count(), PATIENCE).toBe(0);
    await page.getByText('No active session').waitFor();
    const session = page.locator('section', {
      has: page.getByRole('heading', { name: 'This session' }),
    });
    await page.locator('.holdings').waitFor();
    const places = async () => [await session.boundingBox(), await spin().boundingBox()];
    const before = await places();
    await page.evaluate(() => {
      const moved: string[] = [];
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const one of list.getEntries() as unknown as LayoutShift[]) {
          for (const { node, previousRect: from, currentRect: to } of one.sources) {
            const moving = node instanceof Element ? node : node?.parentElement;
            // Lists with the newest at their beginning, and texts that change in their place.
            if (moving?.closest('.recent-results, .history-row, .holdings, .machine-head, .spin'))
              continue;
            const name = moving?.outerHTML.slice(0, 120);
            moved.push([name, from.x, from.y, to.x, to.y].join(' '));
          }
        }
      }).observe({ type: 'layout-shift', buffered: false });
    });
    for (let n = 0; n < 3; n++) {
      await spin().click();
      await landed(page);
      await page.getByRole('button', { name: 'SPIN', exact: true, disabled: false }).waitFor();
    }
    await session.getByText('Returned stakes count as won.').waitFor();
    expect(await places()).toEqual(before);
    expect(await page.evaluate(() => (window as unknown as { moved: string[] }).moved)).toEqual([]);
  });
});

it('language, colours and motion chosen in one tab apply to the other tabs', async () => {
  await page.goto(site.url);
  const other = await context.newPage();
  await other.goto(`${site.url}/leaderboard`);
  await other.getByRole('heading', { name: 'Leaderboard' }).waitFor();
  await page.getByRole('button', { name: '中文' }).click();
  await other.getByRole('heading', { name: '排行榜' }).waitFor();
  await page.getByRole('button', { name: '浅色' }).click();
  await page.getByRole('button', { name: '减少动画' }).click();
  const shown = () =>
    other.evaluate(() => {
      const { lang, dataset } = document.documentElement;
      return [lang, dataset.theme, dataset.motion];
    });
  await expect.poll(shown, PATIENCE).toEqual(['zh-CN', 'light', 'full']);
  await other.getByRole('button', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'A slot machine with an open ledger' }).waitFor();
});

describe('the code of the connect dialog', () => {
  const connect = () => page.getByRole('banner').getByRole('button', { name: 'Connect wallet' });
  const CODE = '**/assets/connect-dialog-*.js';

  it('loads slowly: the button shows so in the next frame', async () => {
    let arrive = () => {};
    const held = new Promise<void>((done) => {
      arrive = done;
    });
    await page.route(CODE, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(site.url);
    await page.locator('.first-paint').waitFor({ state: 'detached' });
    await connect().waitFor();
    const shown = await page.evaluate(async () => {
      const button = [...document.querySelectorAll('header button')].find(
        (one) => one.textContent === 'Connect wallet',
      ) as HTMLButtonElement;
      button.click();
      await new Promise(requestAnimationFrame);
      return [button.textContent, button.ariaBusy];
    });
    expect(shown).toEqual(['Loading…', 'true']);
    arrive();
    await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
  });

  it('does not load: the button tries again, and the dialog opens', async () => {
    await page.route(CODE, (route) => route.abort());
    await page.goto(`${site.url}/games`);
    await connect().click();
    const toast = page.locator('.toast', { hasText: 'The server cannot be reached.' });
    await toast.waitFor();
    const again = page.getByRole('banner').getByRole('button', { name: 'Try again' });
    // The server responds, but not with the code.
    await Promise.all([page.waitForEvent('load'), again.click()]);
    await toast.waitFor();
    await page.unroute(CODE);
    await again.click();
    await page.getByRole('dialog', { name: /wallet/ }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/games');
  });
});

it('a seed, a hash and an address are copied by a button', async () => {
  await signInHere();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.goto(`${site.url}/profile`);
  const address = await page.evaluate(() => JSON.parse(localStorage.user).wallet_address);
  await page.getByRole('button', { name: 'Copy: Wallet address' }).click();
  await expect.poll(copied, PATIENCE).toBe(address);
  await page.goto(`${site.url}/fairness`);
  const hash = page
    .locator('dd', { has: page.getByRole('button', { name: 'Copy: Hash' }) })
    .first();
  const text = (await hash.textContent())?.trim() ?? '';
  expect(text).toMatch(/^[0-9a-f]{64}$/);
  await hash.getByRole('button').click();
  await expect.poll(copied, PATIENCE).toBe(text);
  // From the home page, which has loaded no other texts; then in a browser that refuses, and in one without a clipboard.
  await page.goto(site.url);
  const copy = async () => {
    await page.locator('summary', { hasText: '…' }).first().click();
    await page.getByRole('button', { name: 'Copy address' }).click();
  };
  await copy();
  await page.locator('.toast', { hasText: 'Copied.' }).waitFor();
  expect(await copied()).toBe(address);
  for (const clipboard of [{ writeText: 'refused' }, undefined]) {
    await page.reload();
    await page.evaluate((value) => {
      const refuses = { writeText: () => Promise.reject(new DOMException('no')) };
      Object.defineProperty(navigator, 'clipboard', { value: value && refuses });
    }, clipboard);
    await copy();
    await page.locator('.toast', { hasText: 'Your browser does not allow copying.' }).waitFor();
    expect(await page.locator('.toast').count()).toBe(1);
  }
});

it('"Start over" asks before it deletes the key of the development wallet', async () => {
  await page.goto(site.url);
  await page.locator('.first-paint').waitFor({ state: 'detached' });
  await page.getByRole('banner').getByRole('button', { name: 'Connect wallet' }).click();
  await page.getByRole('button', { name: /Development wallet/ }).click();
  await page.locator('.holdings').waitFor();
  const key = () => page.evaluate(() => localStorage.getItem('development_wallet_seed'));
  const before = await key();
  expect(before).not.toBeNull();
  const menu = page.locator('summary', { hasText: '…' }).first();
  await menu.click();
  await page.getByRole('button', { name: /Start over with a new wallet/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Start over?' });
  await dialog.getByText('points and').waitFor();
  await expectAccessible(page, 'start over');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await key()).toBe(before);
  expect(await page.locator('.holdings').count()).toBe(1);
  await menu.click();
  await page.getByRole('button', { name: /Start over with a new wallet/ }).click();
  const confirm = dialog.getByRole('button', { name: 'Delete and start over' });
  // What cannot be undone is not the golden button.
  expect(await confirm.getAttribute('class')).toContain('text-coral');
  await confirm.click();
  await page.getByRole('dialog', { name: 'Connect a wallet' }).waitFor();
  expect(await key()).not.toBe(before);
});

describe('what failed to load while the server was down', () => {
  it('a page: it opens by itself when the server is back', async () => {
    await page.goto(site.url);
    await page.locator('.first-paint').waitFor({ state: 'detached' });
    await page.route('**/*', (route) => route.abort());
    await page.getByRole('navigation').getByRole('link', { name: 'Leaderboard' }).first().click();
    await waitForText(page, 'This page did not load');
    await page.unroute('**/*');
    await page.getByRole('tab', { name: 'Most Wins' }).waitFor();
  });

  it('a new version: the page is loaded again, once', async () => {
    await page.goto(site.url);
    await page.locator('.first-paint').waitFor({ state: 'detached' });
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.route('**/assets/leaderboard-*.js', (route) => route.fulfill({ status: 404 }));
    await page.getByRole('navigation').getByRole('link', { name: 'Leaderboard' }).first().click();
    await expect.poll(() => loads, PATIENCE).toBe(1);
    // Still missing: then a reload is the player's.
    await page.getByRole('button', { name: 'Reload page' }).waitFor();
    expect(loads).toBe(1);
  });

  it('a list: it is logged, and shown by itself when the server is back', async () => {
    const logged: string[] = [];
    page.on('console', (message) => logged.push(message.text()));
    await respond(page, '/user/leaderboard/*', 'down');
    await page.goto(`${site.url}/leaderboard`);
    await waitForText(page, 'This could not be loaded.');
    expect(logged).toContainEqual(expect.stringMatching(/^could not load \["leaderboard"/));
    await page.unroute('**/api/v1/user/leaderboard/*');
    await page.getByText('This could not be loaded.').first().waitFor({ state: 'detached' });
  });
});

it('no panel of any page is cut by the edge of a small phone', { timeout: LONG_MS }, async () => {
  await signInHere();
  await page.setViewportSize({ width: 320, height: 568 });
  for (const path of PAGES) {
    await page.goto(site.url + path);
    await page.locator('main h1, main h2').first().waitFor();
    await page.waitForLoadState('networkidle');
    const cut = await page.evaluate(() => {
      const main = document.querySelector('main') as HTMLElement;
      const end =
        main.getBoundingClientRect().right - Number.parseFloat(getComputedStyle(main).paddingRight);
      return [...main.querySelectorAll('section')]
        .filter((one) => one.getBoundingClientRect().right > end + 1)
        .map((one) => one.textContent?.slice(0, 20));
    });
    expect(cut, path).toEqual([]);
  }
});

it("the start loads the balance in the player's wallet, and the leaderboards are requested at once", async () => {
  await signInHere();
  const wallet = page.waitForRequest('**/api/v1/user/wallet-balance');
  await page.goto(site.url);
  await wallet;
  const asked: string[] = [];
  const held: (() => void)[] = [];
  await page.route('**/api/v1/user/leaderboard/*', async (route) => {
    asked.push(route.request().url().split('/').at(-1) ?? '');
    await new Promise<void>((release) => held.push(release));
    await route.continue();
  });
  await page.goto(`${site.url}/leaderboard`);
  // None has its response yet.
  await expect.poll(() => asked.toSorted(), PATIENCE).toEqual(['deposit', 'points', 'wins']);
  for (const release of held) release();
});

it.each([
  ['/games', 'Mini Games'],
  ['/leaderboard', 'Most Wins'],
])('%s is as it was left when the player returns', async (path, name) => {
  await page.goto(site.url + path);
  const tab = page.getByRole('tab', { name });
  await tab.click();
  await page.getByRole('banner').getByRole('link', { name: 'Fairness' }).click();
  await page.getByRole('heading', { name: 'Fairness' }).waitFor();
  await page.goBack();
  await expect.poll(() => tab.getAttribute('aria-selected'), PATIENCE).toBe('true');
});

it('SPIN and the start of a mini-game are above the bar of a small phone, without scrolling', async () => {
  await signInHere();
  await page.setViewportSize({ width: 320, height: 568 });
  await page.evaluate(() => localStorage.setItem('language', 'en'));
  for (const [path, name] of [
    ['/slot-machine', 'SPIN'],
    // What a press costs is on the button: the fee below it is behind the bar.
    ['/tetris', 'Start game 10 points'],
    ['/snake', 'Start game 10 points'],
    ['/minesweeper', 'Start game 10 points'],
  ] as const) {
    await page.goto(site.url + path);
    const button = page.getByRole('button', { name, exact: true });
    await button.waitFor();
    const [box, bar] = [
      await button.boundingBox(),
      await page.locator('.bottom-bar').boundingBox(),
    ];
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
    expect((box?.y ?? 0) + (box?.height ?? 900), path).toBeLessThanOrEqual(bar?.y ?? 0);
  }
});
