/** Mini-games as a player watches them: the picture, the figures, the table and the ending agree, in every round. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { signIn } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, site, useSite } from './use-site.ts';

const TICK_MS = 120;
const LONG_MS = 300_000;
/** So many rounds of one game all win or all lose with a probability of 1 in 100,000. */
const ROUNDS_MAX = 28;
/** A round is over before it can be reloaded with a probability below 1 in 5. */
const TRIES_MAX = 12;
const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const;

useSite({ GAME_TICK_MS: String(TICK_MS) });

async function open(game: string, { moving = true }: { moving?: boolean } = {}) {
  const { context, page, faults } = await visit(browser, 'desktop', { moving });
  await installWallet(context);
  await context.addInitScript(() => {
    Object.assign(window, { tones: 0 });
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (atS) {
      (window as unknown as { tones: number }).tones++;
      return start.call(this, atS);
    };
  });
  await signIn(page, site.url);
  await page.goto(`${site.url}/${game}`);
  await start(page).waitFor();
  return { context, page, faults };
}

const start = (page: Page) =>
  page.getByRole('button', { name: /开始游戏|再玩一局|Start game|Play again/ });
/** Of the part of the window that no bar covers. */
const bottomOf = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('.bottom-bar')?.getBoundingClientRect();
    return bar?.height ? bar.top : innerHeight;
  });
const tones = (page: Page) => page.evaluate(() => (window as unknown as { tones: number }).tones);

/** What one moment of the page shows, read at once. */
const moment = (page: Page) =>
  page.evaluate(() => {
    const one = (selector: string) => document.querySelector(selector);
    const board = one('.mini-field > svg[role="img"]');
    const figures = [...document.querySelectorAll('.mini-figures dd')].map((dd) => dd.textContent);
    const count = (selector: string) => document.querySelectorAll(selector).length;
    return {
      tick: Number(board?.getAttribute('data-tick')),
      ending: board?.getAttribute('data-ending') ?? null,
      figures,
      flags: count('[data-look="F"]') + count('[data-look="X"]'),
      hits: count('[data-look="*"]') + count('[data-look="X"]'),
      length: Number(one('.snake-skin polyline')?.getAttribute('data-cells') ?? 0),
      crash: one('[data-obstacle]') !== null,
      moves: count('.tetris-fall, .snake-grows, .mine-cursor'),
      next: [...document.querySelectorAll('[data-next="true"] td')].map((td) => td.textContent),
      lit: [...document.querySelectorAll('[data-lit="true"] td')].map((td) => td.textContent),
      shownNext: one('.mini-next b')?.textContent ?? null,
      shownNow: one('.mini-now dd')?.textContent ?? null,
      celebrates: one('.celebration') !== null,
      result: one('.mini-outcome [role="alert"]')?.textContent ?? '',
      // The amount counts up to it.
      paid: one('.mini-outcome .count-up')?.getAttribute('data-final') ?? null,
    };
  });
type Moment = Awaited<ReturnType<typeof moment>>;

/** The figures are those of the picture, and the marked row is the one that is next. */
function expectAgreement(game: string, now: Moment): void {
  const figures = now.figures.map((text) => Number(text.replaceAll(',', '')));
  if (game === 'tetris') {
    const [, , level, ticks] = figures;
    expect([ticks, level]).toEqual([now.tick, 1 + Math.floor(now.tick / 10)]);
  } else if (game === 'snake') {
    const [score, length, ticks] = figures;
    expect([ticks, length, score]).toEqual([now.tick, now.length, 10 * (now.length - 3)]);
  } else {
    const [, found, ticks] = figures;
    expect([ticks, found]).toEqual([now.tick, now.flags]);
  }
  if (now.ending === null) {
    expect(now.next[0] ?? null).toBe(now.shownNext);
    expect(now.lit[0] ?? '0×').toBe(now.shownNow);
    expect([now.crash, now.hits, now.celebrates]).toEqual([false, 0, false]);
  }
}

/** Plays one round and returns its end. */
async function play(page: Page, game: string): Promise<Moment> {
  await start(page).click();
  let before = 0;
  for (;;) {
    const now = await moment(page);
    if (now.result !== '') return now;
    if (now.moves > 0) {
      expectAgreement(game, now);
      expect(now.tick).toBeGreaterThanOrEqual(before);
      before = now.tick;
    }
    await page.waitForTimeout(TICK_MS / 2);
  }
}

describe.each(['tetris', 'snake', 'minesweeper'])('%s', (game) => {
  it('shows what its rounds pay: a win and a loss', { timeout: LONG_MS }, async () => {
    const { context, page, faults } = await open(game);
    const seen = new Set<string>();
    for (let round = 0; seen.size < 2; round++) {
      expect(round).toBeLessThan(ROUNDS_MAX);
      const end = await play(page, game);
      expectAgreement(game, end);
      const isWon = end.paid !== null;
      expect(end.ending).toBe(isWon ? 'won' : 'lost');
      expect(end.celebrates).toBe(isWon);
      expect(end.lit.length > 0).toBe(isWon);
      expect(end.next).toEqual([]);
      if (game === 'snake') expect(end.crash).toBe(!isWon);
      if (game === 'minesweeper' && isWon) expect(end.hits).toBe(0);
      if (isWon) {
        const multiple = Number.parseFloat(end.lit[0] ?? '');
        expect(end.result).toContain(`${multiple} × 10`);
        expect(end.paid).toBe(`+${(10 * multiple).toFixed(2)}`);
      }
      if (seen.has(end.ending ?? '')) continue;
      seen.add(end.ending ?? '');
      await picture(page, `${game}-${end.ending}`);
      await expectAccessible(page, `${game} ${end.ending}`);
    }
    expect(await tones(page)).toBe(0);
    expect(faults).toEqual([]);
    await context.close();
  });
});

it('a round goes on after a reload, and in another language, without a second start', {
  timeout: LONG_MS,
}, async () => {
  const { context, page } = await open('tetris');
  let starts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/game/tetris/start')) starts++;
  });
  const passes = (tick: number) =>
    page.waitForFunction(
      (least) =>
        Number(document.querySelector('[data-tick]')?.getAttribute('data-tick')) >= least ||
        document.querySelector('[data-ending]') !== null,
      tick,
    );
  for (let round = 1; ; round++) {
    expect(round).toBeLessThan(TRIES_MAX);
    await start(page).click();
    await passes(4);
    await page.reload();
    await page.locator('.mini-field [data-tick]').waitFor();
    await page.waitForFunction(() => !/加载中|Loading/.test(document.body.textContent));
    const resumed = await moment(page);
    expect(starts).toBe(round);
    if (resumed.moves === 0 || resumed.tick < 4) continue;
    const language = page.locator('.language-switch').getByRole('button', { name: 'EN' });
    await language.click();
    await page.getByText('It plays by itself').waitFor();
    const translated = await moment(page);
    // It is over in both cases only if it was not running any more.
    expect(translated.tick).toBeGreaterThanOrEqual(resumed.tick);
    // A page that was not running, as in a hidden tab, shows the right tick at once.
    await page.evaluate(() => {
      const end = performance.now() + 1_000;
      while (performance.now() < end);
    });
    await passes(translated.tick + Math.floor(1_000 / TICK_MS) - 1);
    await page.getByRole('button', { name: 'Play again' }).waitFor();
    expect(starts).toBe(round);
    break;
  }
  await context.close();
});

it('the disclosure is above the fold, Chinese until a language is chosen', {
  timeout: LONG_MS,
}, async () => {
  for (const size of SIZES) {
    const { context, page } = await open('snake', { moving: false });
    await page.setViewportSize(size);
    const chinese = page.locator('[lang="zh-CN"]').getByText('任何操作都不会改变结果');
    const english = page.getByText('Your input does not change it');
    const isAbove = async (text: typeof english, button: string) => {
      await text.waitFor();
      const [words, press] = [
        await text.boundingBox(),
        await page.getByRole('button', { name: button }).boundingBox(),
      ];
      expect((words?.y ?? 1e9) + (words?.height ?? 0)).toBeLessThan(size.height / 2.5);
      expect((press?.y ?? 1e9) + (press?.height ?? 0)).toBeLessThan(await bottomOf(page));
    };
    await isAbove(chinese, '开始游戏');
    const choose = (name: string) =>
      page.locator('.language-switch').getByRole('button', { name }).click();
    await choose('EN');
    await isAbove(english, 'Start game');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
    await page.reload();
    await english.waitFor();
    await choose('中文');
    await isAbove(chinese, '开始游戏');
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    await context.close();
  }
});

it('a running field is between the header and the bar of a phone', {
  timeout: LONG_MS,
}, async () => {
  const { context, page } = await open('snake', { moving: false });
  for (const size of SIZES) {
    await page.setViewportSize(size);
    for (const game of ['snake', 'tetris', 'minesweeper']) {
      await page.goto(`${site.url}/${game}`);
      // The button may be far below after a choice of text size: from there the field is out of sight.
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await start(page).click();
      await page.locator('.mini-cabinet[data-phase="running"]').waitFor();
      const [top, bottom] = await page.evaluate(() => {
        const field = document.querySelector('.mini-field')?.getBoundingClientRect();
        const header = document.querySelector('header')?.getBoundingClientRect();
        return [(field?.top ?? 0) - (header?.bottom ?? 0), field?.bottom ?? 1e9];
      });
      expect([game, size.width, top >= 0]).toEqual([game, size.width, true]);
      expect(bottom).toBeLessThan(await bottomOf(page));
      await page.locator('.mini-outcome[data-phase="over"]').waitFor();
    }
  }
  await context.close();
});

it('with reduced motion nothing moves; the remembered sound plays', {
  timeout: LONG_MS,
}, async () => {
  const { context, page } = await open('minesweeper', { moving: false });
  await page.getByRole('button', { name: '声音' }).click();
  expect(await tones(page)).toBe(1);
  await page.reload();
  await start(page).click();
  const moving = () =>
    page.evaluate(
      () =>
        document
          .getAnimations()
          .flatMap((one) => (one.effect instanceof KeyframeEffect ? one.effect.getKeyframes() : []))
          .filter((frame) => 'transform' in frame).length,
    );
  await page.waitForFunction(
    () => Number(document.querySelector('[data-tick]')?.getAttribute('data-tick')) > 0,
  );
  for (let now = await moment(page); now.result === ''; now = await moment(page)) {
    expect(await moving()).toBe(0);
    if (now.moves > 0) expectAgreement('minesweeper', now);
    await page.waitForTimeout(TICK_MS / 2);
  }
  expect(await moving()).toBe(0);
  expect((await moment(page)).celebrates).toBe(false);
  await expect.poll(() => tones(page)).toBeGreaterThan(0);
  await context.close();
});

it('the hall shows what pays, by the rules', async () => {
  const { context, page } = await visit(browser, 'desktop');
  await page.goto(`${site.url}/games`);
  for (const text of [
    'Fee 10 points. Level 5 pays 1.2×; at best 5×.',
    'Fee 10 points. Length 12 pays 1.5×; at best 5×.',
    'Fee 10 points. Cleared with 3 mines found pays 1.2×; at best 2.2×.',
  ]) {
    await page.getByText(text).waitFor();
  }
  await context.close();
});
