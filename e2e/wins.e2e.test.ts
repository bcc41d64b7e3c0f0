/** How a win is shown: beneath lit reels, with an optional sound; the next spin is always available, also with Space. */
import type { BrowserContext, Page } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { landed, respond, signIn, slotHistory } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, context, page, site, useSite, useVisitor } from './use-site.ts';
import { paysMultiple, reelsOf, wantDraws } from './wanted-draws.ts';

useSite();
useVisitor();

/**
 * The dialog of a result stays open, because it has the focus, and what is shown for some seconds is recorded, so that
 * nothing is missed on a slow machine.
 */
const watchResults = (of: BrowserContext) =>
  of.addInitScript(() => {
    const [celebrated, counted, faded]: [string[], string[], string[]] = [[], [], []];
    const covered: object[] = [];
    Object.assign(window, { celebrated, counted, faded, covered });
    new MutationObserver((changes) => {
      for (const one of changes.flatMap(({ addedNodes }) => [...addedNodes])) {
        if (!(one instanceof HTMLElement)) continue;
        const all = (selector: string) => [
          ...(one.matches(selector) ? [one] : []),
          ...one.querySelectorAll<HTMLElement>(selector),
        ];
        for (const modal of all('.result-modal')) {
          modal.querySelector('button')?.focus();
          const { backgroundColor } = getComputedStyle(modal);
          for (const { effect } of modal.getAnimations()) {
            const frames = effect instanceof KeyframeEffect ? effect.getKeyframes() : [];
            if (frames.some((frame) => 'opacity' in frame)) faded.push('opacity');
          }
          if (/, 0(\.\d+)?\)$/.test(backgroundColor)) faded.push(backgroundColor);
        }
        for (const panel of all('.jackpot')) {
          const spin = document.querySelector('.spin')?.getBoundingClientRect() ?? new DOMRect();
          const at = document.elementFromPoint(spin.x + spin.width / 2, spin.y + spin.height / 2);
          const [own, around] = [panel, panel.closest('.cabinet') ?? panel].map((box) => {
            const { width, height } = box.getBoundingClientRect();
            return [width, height];
          });
          const [shown] = panel.getAnimations().map(({ effect }) => effect?.getTiming().duration);
          covered.push({ own, around, shown, pressed: at?.className });
        }
        for (const { dataset, childNodes } of all('.celebration')) {
          const coins = [...childNodes].filter(
            (node) => node instanceof Element && node.matches('.falling-coin'),
          );
          celebrated.push(`${dataset.size} ${coins.length}`);
        }
      }
      for (const one of document.querySelectorAll('.count-up > span')) {
        counted.push(one.textContent);
      }
    }).observe(document, { subtree: true, childList: true, characterData: true });
  });
const recorded = (on: Page) =>
  on.evaluate(() => {
    const { celebrated, counted, faded, covered } = window as unknown as Record<string, string[]>;
    return { celebrated, counted, faded, covered };
  });

beforeEach(async () => {
  await installWallet(context);
  await context.addInitScript(() => {
    const tones: number[] = [];
    Object.assign(window, { tones });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (atS) {
      tones.push(this.frequency.value);
      return start.call(this, atS);
    };
  });
  await signIn(page, site.url);
  await page.goto(`${site.url}/slot-machine`);
  await page.locator('.spin[aria-disabled="false"]').waitFor();
});

const spin = () => page.getByRole('button', { name: 'SPIN', exact: true });
const rounds = async () => (await slotHistory(site, page)).items.length;
const pitches = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones);
const tones = async () => (await pitches()).length;

it('Space spins when it is released, once, and types in a field', async () => {
  await page.locator('body').press('Space');
  await landed(page);
  expect(await rounds()).toBe(1);
  await page.keyboard.down('Space');
  expect(await rounds()).toBe(1);
  await page.keyboard.up('Space');
  await page.getByRole('button', { name: 'Spinning...' }).waitFor();
  await landed(page);
  expect(await rounds()).toBe(2);
  await page.getByRole('textbox', { name: 'Bet' }).press('Space');
  await page.getByRole('button', { name: 'Sound' }).press('Space');
  expect(await rounds()).toBe(2);
});

it('Enter that is held down spins once', async () => {
  await spin().focus();
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter');
  await landed(page);
  for (let repeat = 0; repeat < 10; repeat++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  expect(await rounds()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Spinning...' }).waitFor();
  await landed(page);
  expect(await rounds()).toBe(2);
});

it('Space spins after a bet was chosen with a pointer; with the keyboard it chooses', async () => {
  const chip = (bet: string) => page.getByRole('button', { name: bet, exact: true });
  await chip('5').click();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Spinning...' }).waitFor();
  await landed(page);
  await page.getByRole('button', { name: 'Increase bet by 5' }).click();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Spinning...' }).waitFor();
  await landed(page);
  await chip('1').press('Space');
  await page.locator('.quick-bet[aria-pressed="true"]', { hasText: /^1$/ }).waitFor();
  expect((await slotHistory(site, page)).items.map(({ bet_amount }) => bet_amount)).toEqual([
    10, 5,
  ]);
});

it('the reels sound while they turn and when each stops, if the sound is on', async () => {
  await wantDraws(page, site, (drawsOf) => reelsOf(drawsOf(0)).join() === '2,2,3');
  await page.reload();
  await page.getByRole('button', { name: 'Sound' }).click();
  const TURN = 1_100;
  const turns = async () => (await pitches()).filter((hertz) => hertz === TURN).length;
  await page.route('**/game/slot-machine/bet', async (route) => {
    await expect.poll(turns).toBeGreaterThan(3);
    await route.continue();
  });
  await spin().click();
  await landed(page);
  const heard = (await pitches()).filter((hertz) => hertz !== TURN);
  // The sound itself, the stops, and the win.
  expect(heard).toEqual([660, 180, 360, 180, 523, 659]);
  const after = await turns();
  await spin().click();
  await expect.poll(turns).toBeGreaterThan(after);
});

it('a slow response is named', async () => {
  const slow = page.getByText('The server has not responded yet.');
  await page.route('**/game/slot-machine/bet', async (route) => {
    await slow.waitFor();
    await route.continue();
  });
  await spin().click();
  await landed(page);
  expect(await slow.count()).toBe(0);
});

it.each(['lost', 'reload'])('%s: balance and lists wait for the reels', async (how) => {
  await wantDraws(page, site, (drawsOf) => paysMultiple(12n)(drawsOf(0)));
  let asks = () => {};
  const asked = new Promise<void>((resolve) => {
    asks = resolve;
  });
  const pushed = new Promise((resolve) => {
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('game_result')) resolve(null);
      }),
    );
  });
  let answers = () => {};
  const answered = new Promise<void>((resolve) => {
    answers = resolve;
  });
  await page.route('**/game/slot-machine/bet', async (route) => {
    await route.fetch();
    await pushed;
    if (how === 'lost') await route.abort();
  });
  await page.route('**/user/commands/*', async (route) => {
    asks();
    await answered;
    await route.continue().catch(() => undefined);
  });
  await page.reload();
  await spin().click();
  await pushed;
  await site.caughtUp();
  // Each text of the header, also of a single frame.
  await page.addInitScript(() => {
    const headers: unknown[] = [];
    Object.assign(window, { headers });
    new MutationObserver(() => {
      headers.push(document.querySelector('.holdings')?.textContent);
    }).observe(document, { childList: true, characterData: true, subtree: true });
  });
  if (how === 'reload') await page.reload();
  await asked;
  const points = page.getByRole('banner').getByText('999.00');
  await points.waitFor();
  const early = page.locator('.history-row, .recent-results [data-wins]');
  await page.waitForLoadState('networkidle').catch(() => undefined);
  expect([await points.count(), await early.count()]).toEqual([1, 0]);
  const session = page.locator('section', { has: page.getByText('This session') });
  expect(await session.textContent()).not.toContain('12.00');
  const headers = await page.evaluate(() => String(Reflect.get(window, 'headers') ?? ''));
  expect(headers).not.toContain('1,011.00');
  if (how === 'reload') expect(headers).toContain('999.00');
  answers();
  await landed(page);
  await page.getByRole('banner').getByText('1,011.00').waitFor();
  await expect.poll(() => early.count()).toBe(2);
});

it.each([
  ['a pair', '3,3,1', [600, 850, 1_600], [850, 850]],
  ['three of a kind', '4,4,4', [600, 850, 1_600], [850, 850, 1_600]],
  ['another pair', '2,1,2', [600, 1_100, 1_600], [1_600, 1_600]],
  ['no win', '1,2,3', [600, 1_100, 1_600], []],
])(
  'the reels stop one by one within 2 s, the third visibly last: %s',
  async (_, reels, ...times) => {
    const moving = await visit(browser, 'desktop', { moving: true });
    await installWallet(moving.context);
    await moving.context.addInitScript(() => {
      const stopped: number[] = [];
      Object.assign(window, { stopped });
      document.addEventListener('click', ({ timeStamp }) => stopped.push(timeStamp), true);
      document.addEventListener('animationend', ({ animationName, timeStamp }) => {
        if (animationName === 'slot-settle') stopped.push(timeStamp);
      });
    });
    await signIn(moving.page, site.url);
    await wantDraws(moving.page, site, (drawsOf) => reelsOf(drawsOf(0)).join() === reels);
    await moving.page.goto(`${site.url}/slot-machine`);
    await moving.page.getByRole('button', { name: 'SPIN', exact: true }).click();
    await landed(moving.page);
    const [rests, lit] = await moving.page.evaluate(() =>
      ['slot-settle', 'slot-rim'].map((name) =>
        document
          .getAnimations()
          .filter((one) => one instanceof CSSAnimation && one.animationName === name)
          .map(({ effect }) => effect?.getComputedTiming())
          .map((time) => Number(name === 'slot-rim' ? time?.delay : time?.endTime)),
      ),
    );
    expect([rests, lit]).toEqual(times);
    const stopped = () =>
      moving.page.evaluate(() => (window as unknown as { stopped: number[] }).stopped);
    await expect.poll(async () => (await stopped()).length).toBe(4);
    const [pressed = 0, ...stops] = await stopped();
    expect(stops).toEqual(stops.toSorted((a, b) => a - b));
    expect((stops[2] ?? 0) - pressed).toBeGreaterThan(1_950);
    expect(moving.faults).toEqual([]);
    await moving.context.close();
  },
);

it('the last results fill their place: no stripe, no stretched frame, no cut chip', async () => {
  const list = page.getByRole('list', { name: 'Last results' });
  const gap = () =>
    page.evaluate(() => {
      const height = (name: string) =>
        Math.round(document.querySelector(name)?.getBoundingClientRect().height ?? 0);
      return height('.reels-frame') - height('.slot-reels');
    });
  const places = list.locator('.recent-place');
  await places.nth(7).waitFor();
  const empty = await gap();
  const round = { type: 'game_win', row: 'two-coins', symbols: [[4, 4, 1]], bet_amount: 10 };
  const items = Array.from({ length: 10 }, (_, n) => ({
    ...round,
    round_id: `r${n}`,
    created_at: new Date().toISOString(),
    win_amount: n % 2 === 0 ? 15 : 250,
    position: 100 - n,
    rules: 'slot-1',
    server_seed_hash: '0'.repeat(64),
    client_seed: 'c',
    nonce: n,
  }));
  await respond(page, '/game/slot-machine/history?*', {
    status: 200,
    message: 'ok',
    data: { items, total: 10, page: 1, page_size: 10 },
  });
  await page.reload();
  for (const width of [1440, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    await list.locator('[data-wins]').nth(7).waitFor({ state: 'attached' });
    if (width > 760) expect(await gap()).toBe(empty);
    const cut = await list.evaluate((box) => {
      const around = box.getBoundingClientRect();
      return [...box.querySelectorAll('[data-wins]')].filter((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        const isIn = right <= around.right + 1 && bottom <= around.bottom + 1;
        const isOut = top >= around.bottom - 1 || left >= around.right - 1;
        return !isIn && !isOut;
      }).length;
    });
    expect(cut, String(width)).toBe(0);
    await picture(page, `slot-results-${width}`);
  }
});

it('shows a win beneath the reels, lists it, and plays a sound only if it is on', async () => {
  const sound = page.getByRole('button', { name: 'Sound' });
  expect(await sound.getAttribute('aria-pressed')).toBe('false');
  const win = page.getByRole('dialog', { name: 'YOU WIN' });
  await wantDraws(page, site, (drawsOf) => paysMultiple(4n)(drawsOf(0)));
  await watchResults(context);
  await page.reload();
  await spin().click();
  await win.waitFor();
  expect(await tones()).toBe(0);
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await picture(page, `slot-win-${width}`);
    const [reels, words, button] = [
      await page.locator('.slot-reels').boundingBox(),
      await win.boundingBox(),
      await spin().boundingBox(),
    ];
    const bottomOf = (box: typeof reels) => (box?.y ?? 0) + (box?.height ?? 0);
    expect(words?.y).toBeGreaterThan(bottomOf(reels));
    expect(button?.y).toBeGreaterThanOrEqual(bottomOf(words));
  }
  expect(await page.locator('.slot-reel[data-wins="true"]').count()).toBeGreaterThanOrEqual(2);
  const results = page.getByRole('list', { name: 'Last results' }).getByRole('listitem');
  expect(await results.first().textContent()).toMatch(/×$/);
  await expectAccessible(page, 'a win');

  await sound.click();
  await page.reload();
  expect(await sound.getAttribute('aria-pressed')).toBe('true');
  await spin().click();
  await expect.poll(tones).toBeGreaterThan(0);
});

/** A player with motion, whose next spin pays this multiple. */
async function playWin(multiple: bigint) {
  const moving = await visit(browser, 'desktop', { moving: true });
  await installWallet(moving.context);
  await watchResults(moving.context);
  await signIn(moving.page, site.url);
  await wantDraws(moving.page, site, (drawsOf) => paysMultiple(multiple)(drawsOf(0)));
  await moving.page.goto(`${site.url}/slot-machine`);
  await moving.page.getByRole('button', { name: 'SPIN', exact: true }).click();
  await landed(moving.page);
  return moving;
}

/** What the reels do in a win; it stays until the next spin. */
const looksOf = (on: Page) =>
  on.evaluate(() => {
    const style = (selector: string, part?: string) => {
      const found = document.querySelector(selector);
      return found ? getComputedStyle(found, part) : null;
    };
    const won = '.slot-reel[data-wins="true"] .slot-cell:first-child';
    const shown = (selector: string, part: string) => {
      const found = style(selector, part);
      return found?.content === 'none' ? 'none' : found?.animationName;
    };
    return {
      jumps: style(`${won} > *`)?.animationIterationCount,
      over: shown('.reels-frame', '::after'),
      behind: shown(won, '::before'),
    };
  });

it.each([
  [2n, 'small 0', 'YOU WIN', { jumps: '1', over: 'none', behind: 'none' }],
  [4n, 'medium 0', 'YOU WIN', { jumps: '2', over: 'win-sweep', behind: 'none' }],
  [12n, 'large 0', 'YOU WIN', { jumps: '3', over: 'win-stamp', behind: 'win-rays' }],
  [25n, 'jackpot 20', 'JACKPOT', { jumps: '3', over: 'none', behind: 'win-rays' }],
])('a win of %d times the bet is celebrated as %s', async (multiple, shown, title, looks) => {
  const moving = await playWin(multiple);
  const win = moving.page.getByRole('dialog', { name: title });
  expect(await win.locator('.count-up').getAttribute('data-final')).toBe(`+${multiple}.00`);
  const { celebrated, faded, covered } = await recorded(moving.page);
  expect(celebrated).toEqual([shown]);
  expect(faded).toEqual([]);
  expect(await looksOf(moving.page)).toEqual(looks);
  // The jackpot takes the cabinet for two seconds, and no press.
  const [panel] = covered as unknown as { own: number[]; around: number[] }[];
  expect(covered).toHaveLength(title === 'JACKPOT' ? 1 : 0);
  if (panel) {
    expect(panel).toMatchObject({ shown: 2_000, pressed: 'spin' });
    for (const [side, size] of panel.own.entries()) {
      expect(size).toBeGreaterThanOrEqual((panel.around[side] ?? 0) - 2);
    }
  }
  await picture(moving.page, `slot-celebration-${multiple}`);
  expect(moving.faults).toEqual([]);
  await moving.context.close();
});

it.each([
  { width: 320, height: 568 },
  { width: 720, height: 450 },
])('at $width x $height the result leaves the bet and SPIN free', async (size) => {
  await watchResults(context);
  await page.setViewportSize(size);
  await wantDraws(page, site, (drawsOf) => paysMultiple(12n)(drawsOf(0)));
  await page.reload();
  await page.getByRole('button', { name: '50', exact: true }).click();
  await spin().click();
  const result = page.getByRole('dialog', { name: 'YOU WIN' });
  await result.waitFor();
  const [modal, bet] = [await result.boundingBox(), await page.locator('.stepper').boundingBox()];
  expect((modal?.y ?? 0) + (modal?.height ?? 900)).toBeLessThanOrEqual(bet?.y ?? 0);
  const title = result.locator('.result-title');
  expect(await title.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThanOrEqual(1);
  await picture(page, `result-${size.width}`);
});

it('counts a win up from its stake: no frame shows less', async () => {
  const moving = await playWin(4n);
  const shown = moving.page.getByRole('dialog').locator('.count-up > span');
  await expect.poll(() => shown.textContent()).toBe('+4.00');
  const { counted = [] } = await recorded(moving.page);
  expect(new Set(counted).size).toBeGreaterThan(1);
  expect(counted.filter((text) => !(Number(text.replace(/^\+/, '')) >= 1))).toEqual([]);
  await moving.context.close();
});
