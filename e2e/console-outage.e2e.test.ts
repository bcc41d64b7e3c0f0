/** Open pages of the console while the server is killed, does not run, or is behind: nothing moves, and nothing old is current. */
import { freePort } from '@reelbook/runtime/ports';
import { must } from '@reelbook/simulator/client/api';
import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { enterConsole, type GivenPlayer, givePlayer, stopProjection } from './console-given.ts';
import { browser, ownSite, site, useOwnSite } from './use-site.ts';

const LONG_MS = 60_000;
const wait = { timeout: LONG_MS };

// Its own: it kills the site. The console keeps its port, so that its pages find it again.
useOwnSite({ ADMIN_PORT: String(await freePort()) });

let player: GivenPlayer;
let first: Page;
/** Each page in a tab. */
const tabs = new Map<string, Page>();

beforeAll(async () => {
  player = await givePlayer(site);
  const withdrawal = await player.withdraw(2);
  [first] = await enterConsole(browser, await site.link('first'));
  for (const path of [
    '/overview',
    '/explorer',
    `/players/${player.address}`,
    '/withdrawals?status=all',
    '/deposits',
    `/withdrawals/${withdrawal}`,
    '/house?account=house',
    '/configuration',
    '/audit',
    `/travel?stream=${player.address}`,
    `/events/${player.bet}`,
  ]) {
    const tab = await first.context().newPage();
    await tab.goto(site.consoleUrl + path);
    await tab.locator('main h1').waitFor(wait);
    tabs.set(path, tab);
  }
  // Paid: nothing of it changes later.
  await tabOf(`/withdrawals/${withdrawal}`).getByText('Finalized').first().waitFor(wait);
});

function tabOf(path: string): Page {
  const tab = tabs.get(path);
  if (!tab) throw new Error(`${path} is open`);
  return tab;
}
const soughtIn = (tab: Page) =>
  tab.getByRole('textbox', { name: /^Nickname, wallet, transaction/ });
const statesIn = (tab: Page) =>
  tab
    .getByRole('table', { name: 'Deposits' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.querySelectorAll('td')[3]?.textContent));

const spin = () =>
  must(site.url, '/game/slot-machine/bet', {
    token: player.token,
    key: crypto.randomUUID(),
    body: { bet_amount: 5 },
  });

/** Requests wait for it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Every tab has all its figures. */
async function loaded(): Promise<void> {
  for (const [path, tab] of tabs) {
    await expect.poll(() => tab.locator('.skeleton').count(), { ...wait, message: path }).toBe(0);
  }
}

/** Where the parts of a page are. */
const layout = (tab: Page) =>
  tab.locator('main :is(h1, h2, button), .time-bar input, header input').evaluateAll((parts) =>
    parts.map((part) => {
      const { x, y } = part.getBoundingClientRect();
      return `${part.textContent} ${Math.round(x + scrollX)} ${Math.round(y + scrollY)}`;
    }),
  );

/** The same once it rests: the last answer of a server that has ended may just be drawn. */
async function rested(tab: Page): Promise<string[]> {
  for (let last = await layout(tab); ; ) {
    await tab.waitForTimeout(300);
    const next = await layout(tab);
    if (next.join() === last.join()) return next;
    last = next;
  }
}

/** By its text: under an open dialog it has no role. */
const silent = (tab: Page) => tab.getByText(/^No contact for \d+ s\. Figures of /);

/** While the server does not respond: every tab has the time of its figures and is grey, and none has moved. */
async function expectSilent(tabs: ReadonlyMap<string, Page>): Promise<void> {
  const before = new Map(
    await Promise.all([...tabs].map(async ([path, tab]) => [path, await rested(tab)] as const)),
  );
  for (const [path, tab] of tabs) {
    // At once: on a busy machine a tab may have been without contact before, and was live again.
    await expect.poll(() => shownBy(tab), { ...wait, message: path }).toEqual([1, 1, 0]);
    expect(await layout(tab), path).toEqual(before.get(path));
  }
}

const shownBy = async (tab: Page) => [
  await silent(tab).count(),
  await tab.locator('html[data-silent]').count(),
  await tab.getByText(/^Live · /).count(),
];

async function expectRecovered(tabs: ReadonlyMap<string, Page>): Promise<void> {
  for (const [path, tab] of tabs) {
    await expect.poll(() => shownBy(tab), { ...wait, message: path }).toEqual([0, 0, 1]);
  }
}

it('every page is grey and where it was while the server is killed; a dialog keeps its reason', async () => {
  const desk = tabOf(`/players/${player.address}`);
  await desk.getByRole('button', { name: 'Add note' }).click();
  const dialog = desk.getByRole('dialog');
  const note = dialog.getByRole('textbox', { name: /^Note/ });
  await note.fill('kept over a crash');
  const submit = dialog.getByRole('button', { name: 'Add note', exact: true });
  await expect.poll(() => submit.isEnabled(), wait).toBe(true);
  const deposits = tabOf('/deposits');
  await soughtIn(deposits).fill('50 BSM');
  await expect.poll(() => statesIn(deposits), wait).toEqual(['Credited']);
  await loaded();
  await ownSite.restart(async () => {
    await expectSilent(tabs);
    expect(await submit.isDisabled()).toBe(true);
    await picture(desk, 'console-outage-dialog');
  }, 'SIGKILL');
  await expectRecovered(tabs);
  expect(await note.inputValue()).toBe('kept over a crash');
  expect(await soughtIn(deposits).inputValue()).toBe('50 BSM');
  await expect.poll(() => statesIn(deposits), wait).toEqual(['Credited']);
  await expect.poll(() => submit.isEnabled(), wait).toBe(true);
  await submit.click();
  await desk.locator('main').getByText('kept over a crash').waitFor(wait);
}, 240_000);

it('a part that could not be refreshed states it above its figures, at every width, and nothing moves', async () => {
  const unrefreshed = (tab: Page) => tab.getByText('Not refreshed since');
  await loaded();
  for (const width of [1440, 390]) {
    for (const tab of tabs.values()) await tab.setViewportSize({ width, height: 844 });
    const before = new Map<string, string[]>();
    for (const [path, tab] of tabs) before.set(path, await rested(tab));
    // The head is read: every page notices the next event, and reads all of its figures again.
    for (const tab of tabs.values()) {
      await tab.route(/\/api\/v1\/admin\/(?!moment)/, (route) =>
        route.request().method() === 'GET' ? route.fulfill({ status: 503 }) : route.continue(),
      );
    }
    await spin();
    for (const [path, tab] of tabs) {
      // The explorer reads only what is new.
      if (path !== '/explorer') await unrefreshed(tab).first().waitFor(wait);
      expect(await rested(tab), `${path}, ${width}`).toEqual(before.get(path));
      await picture(tab, `console-outage-unrefreshed-${width}-${path.split(/[/?]/)[1]}`);
      const scrolls = await tab.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(scrolls, `${path}, ${width}`).toBe(false);
    }
    for (const tab of tabs.values()) await tab.unrouteAll();
    for (const [path, tab] of tabs) {
      await expect.poll(() => unrefreshed(tab).count(), { ...wait, message: path }).toBe(0);
    }
  }
}, 600_000);

it('every page shows that a server hangs, and goes on with it', async () => {
  await loaded();
  await ownSite.paused(async () => {
    await expectSilent(tabs);
    await expectAccessible(first, 'a server that hangs');
  });
  await expectRecovered(tabs);
}, 240_000);

it('the list of deposits with a slow server: the rows are those of the last search, and its silence is stated', async () => {
  const tab = tabOf('/deposits');
  await soughtIn(tab).fill('');
  await expect.poll(() => statesIn(tab), wait).toEqual(['Credited']);
  // Not searched for before: nothing of it is in the cache.
  const SLOW = '50.00 BSM';
  const first = gate();
  const done = new Set<string>();
  await tab.route(/\/admin\/deposits\?/, async (route) => {
    const q = new URL(route.request().url()).searchParams.get('q') ?? '';
    if (q === SLOW) await first.opened;
    // The page may have cancelled it.
    await route.continue().catch(() => {});
    done.add(q);
  });
  await soughtIn(tab).fill(SLOW);
  await tab.locator('main .skeleton').first().waitFor(wait);
  // No row of another search meanwhile.
  expect(await tab.getByRole('table', { name: 'Deposits' }).count()).toBe(0);
  await soughtIn(tab).fill('51 BSM');
  await tab.getByText('No deposits found.').waitFor(wait);
  first.open();
  await expect.poll(() => done.has(SLOW), wait).toBe(true);
  await tab.getByText('No deposits found.').waitFor(wait);
  expect(await tab.getByRole('table', { name: 'Deposits' }).count()).toBe(0);
  await soughtIn(tab).fill(SLOW);
  await expect.poll(() => statesIn(tab), wait).toEqual(['Credited']);
  // Nothing is answered in time.
  const all = gate();
  await tab.route(/\/api\/v1\/admin\//, async (route) => {
    await all.opened;
    await route.continue().catch(() => {});
  });
  const only = new Map([['/deposits', tab]]);
  await expectSilent(only);
  expect(await statesIn(tab)).toEqual(['Credited']);
  all.open();
  await expectRecovered(only);
  await expect.poll(() => statesIn(tab), wait).toEqual(['Credited']);
  await tab.unrouteAll();
}, 240_000);

it('shows figures of a projection that is behind at one position, and the fault at every width', async () => {
  await site.caughtUp();
  await stopProjection(site, 'entries');
  await spin();
  /** That a page states, without those of events. */
  const positions = async (path: string) => {
    await first.goto(site.consoleUrl + path);
    await first.getByTestId('explained-balance').first().waitFor(wait);
    await expect.poll(() => first.locator('.skeleton').count(), wait).toBe(0);
    const texts = await first.locator('main span:not(a span)').allTextContents();
    const stated = texts.flatMap((text) => /^(?:As of )?#([\d,]+)$/.exec(text)?.[1] ?? []);
    return stated.map((text) => Number(text.replaceAll(',', '')));
  };
  const [points = 0, ...more] = await positions(`/players/${player.address}`);
  expect(points).toBeGreaterThan(player.bet);
  expect(more).toEqual([points]);
  expect(new Set(await positions('/house?account=house'))).toEqual(new Set([points]));
  const atHead = async () => {
    const head = await first.getByTestId('time-position').textContent();
    return Number(head?.match(/#([\d,]+?)(?=\d{4}-)/)?.[1]?.replaceAll(',', ''));
  };
  await expect.poll(atHead, wait).toBeGreaterThan(points);
  for (const width of [1440, 390]) {
    await first.setViewportSize({ width, height: 844 });
    await first.goto(`${site.consoleUrl}/players`);
    const fault = first.getByRole('link', { name: 'Component stopped' });
    await fault.waitFor(wait);
    const box = await fault.boundingBox();
    expect((box?.x ?? width) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await expectAccessible(first, `component stopped, ${width}`);
    await picture(first, `console-outage-stopped-${width}`);
    await fault.click();
    await first.getByTestId('needs-action').getByText('entries has stopped').waitFor(wait);
  }
}, 240_000);
