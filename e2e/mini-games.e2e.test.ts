/** Mini-games as a player watches them: the picture, the figures, the table and the ending agree, in every round. */
import { minesweeper } from '@reelbook/games/minesweeper/rules';
import { snake } from '@reelbook/games/snake/rules';
import { tetris } from '@reelbook/games/tetris/rules';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { expectAccessible, picture, visit } from './browser.ts';
import { signIn } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { browser, site, useOwnSite } from './use-site.ts';
import { timedRound, wantDraws } from './wanted-draws.ts';

const TICK_MS = 120;
const LONG_MS = 300_000;
const GAMES = { tetris, snake, minesweeper };
type GameId = keyof typeof GAMES;
/** So that a round is still running when a slow machine has loaded the page again: 36 s. */
const LONG_TICKS = 300;
const SIZES = [
  { width: 320, height: 568 },
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
] as const;

// Its own: slower ticks than the shared site, so that a page can be loaded again during a round.
useOwnSite({ GAME_TICK_MS: String(TICK_MS) });

/** `isWanted`: of the player's first round. */
async function open(
  game: GameId,
  {
    moving = true,
    isWanted,
  }: { moving?: boolean; isWanted?: (round: ReturnType<typeof timedRound>) => boolean } = {},
) {
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
  if (isWanted) {
    await wantDraws(page, site, (drawsOf) => isWanted(timedRound(GAMES[game], drawsOf(0))));
  }
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

/** What the page shows when it shows another tick than `before`, or a result; read at once, so that no moment is missed. */
const momentAfter = async (page: Page, before: number) => {
  const found = await page.waitForFunction((known) => {
    const one = (selector: string) => document.querySelector(selector);
    const board = one('.mini-field > svg[role="img"]');
    const figures = [...document.querySelectorAll('.mini-figures dd')].map((dd) => dd.textContent);
    const count = (selector: string) => document.querySelectorAll(selector).length;
    const tick = Number(board?.getAttribute('data-tick') ?? 0);
    const result = one('.mini-outcome [role="alert"]')?.textContent ?? '';
    if (tick === known && result === '') return null;
    return {
      tick,
      result,
      ending: board?.getAttribute('data-ending') ?? null,
      figures,
      flags: count('[data-look="F"]') + count('[data-look="X"]'),
      hits: count('[data-look="*"]') + count('[data-look="X"]'),
      length: Number(one('.snake-skin polyline')?.getAttribute('data-cells') ?? 0),
      crash: one('[data-obstacle]') !== null,
      moves: document.getAnimations().filter(({ playState, effect }) => {
        const isMove = (frame: ComputedKeyframe) => 'transform' in frame;
        return (
          playState === 'running' &&
          effect instanceof KeyframeEffect &&
          effect.target?.closest('.mini-field') &&
          effect.getKeyframes().some(isMove)
        );
      }).length,
      next: [...document.querySelectorAll('[data-next="true"] td')].map((td) => td.textContent),
      lit: [...document.querySelectorAll('[data-lit="true"] td')].map((td) => td.textContent),
      shownNext: one('.mini-next b')?.textContent ?? null,
      shownNow: one('.mini-now dd')?.textContent ?? null,
      celebrates: one('.celebration') !== null,
      // The amount counts up to it.
      paid: one('.mini-outcome .count-up')?.getAttribute('data-final') ?? null,
    };
  }, before);
  const moment = await found.jsonValue();
  if (!moment) throw new Error('the page was waited for');
  return moment;
};
type Moment = Awaited<ReturnType<typeof momentAfter>>;

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

/** Plays one round and returns its end, with the number of ticks after which the picture was seen to move. */
async function play(page: Page, game: GameId): Promise<Moment & { readonly moved: number }> {
  await start(page).click();
  let before = 0;
  let moved = 0;
  for (;;) {
    const now = await momentAfter(page, before);
    if (now.result !== '') return { ...now, moved };
    if (now.moves > 0) moved++;
    expectAgreement(game, now);
    expect(now.tick).toBeGreaterThan(before);
    before = now.tick;
  }
}

describe.each(Object.keys(GAMES) as GameId[])('%s', (game) => {
  it.each([true, false])(
    'shows what a round pays, won: %s',
    { timeout: LONG_MS },
    async (isWon) => {
      const { context, page, faults } = await open(game, {
        isWanted: (round) => round.isWon === isWon && round.ticks > 25 && round.ticks < 80,
      });
      const end = await play(page, game);
      expectAgreement(game, end);
      expect(end.moved).toBeGreaterThan(0);
      const percent = { tetris: 2, snake: 3, minesweeper: 5 }[game];
      expect(end.result).toContain(`第 ${end.tick} 步抽中结束，每步概率 ${percent} %。`);
      expect(end.paid !== null).toBe(isWon);
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
      await picture(page, `${game}-${end.ending}`);
      await expectAccessible(page, `${game} ${end.ending}`);
      expect(await tones(page)).toBe(0);
      expect(faults).toEqual([]);
      await context.close();
    },
  );
});

it('a cleared Minesweeper field with too few mines found flags those, and explains why it pays nothing', {
  timeout: LONG_MS,
}, async () => {
  const { context, page } = await open('minesweeper', {
    isWanted: ({ outcome, isWon }) => {
      const { completed, minesFound, ticks } = outcome as Record<string, number | boolean>;
      return completed === true && !isWon && Number(minesFound) < 3 && Number(ticks) > 1;
    },
  });
  await page.locator('.language-switch').getByRole('button', { name: 'EN' }).click();
  const end = await play(page, 'minesweeper');
  expectAgreement('minesweeper', end);
  expect([end.ending, end.hits, end.lit]).toEqual(['lost', 0, []]);
  expect(end.result).toBe(
    `Game over. No reward for: Cleared with ${end.flags} mines found. The first payout: Cleared with 3 mines found.` +
      `It ended at tick ${end.tick}. Chance per tick: 5 %.`,
  );
  await picture(page, 'minesweeper-cleared-unpaid');
  await context.close();
});

it('a guess counts for a streak, which only this browser has', { timeout: LONG_MS }, async () => {
  const levelOf = (round: ReturnType<typeof timedRound>) =>
    (round.outcome as { readonly level: number }).level;
  const { context, page, faults } = await open('tetris', {});
  await wantDraws(page, site, (drawsOf) => {
    const [first, second] = [0, 1].map((nonce) => timedRound(tetris, drawsOf(nonce)));
    return first && second
      ? levelOf(first) === 5 && levelOf(second) > 6 && levelOf(second) < 10
      : false;
  });
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`));
  await page.reload();
  const field = page.locator('.mini-guess');
  const select = field.getByRole('combobox', { name: '你的猜测' });
  await select.selectOption({ label: '等级 5' });
  await play(page, 'tetris');
  await field.getByText('猜中了。 连中 1 次，最多 1 次。').waitFor();
  await picture(page, 'tetris-guessed');
  await expectAccessible(page, 'a guess');
  await page.reload();
  await field.getByText('连中 1 次，最多 1 次。').waitFor();
  expect(await select.inputValue()).toBe('level 5');
  await start(page).click();
  await page.locator('[data-phase="running"]').first().waitFor();
  expect(await select.isDisabled()).toBe(true);
  await page.locator('tr', { hasText: '等级 5' }).getByText('你的猜测').waitFor();
  await field.getByText('没有猜中。 连中 0 次，最多 1 次。').waitFor();
  // The fee, the key and the report of the round: nothing else.
  const bodies = sent
    .filter((text) => /tetris\/(start|play)/.test(text))
    .map((text) => text.replace(/^\S+ /, ''));
  expect(bodies.map((body) => Object.keys(JSON.parse(body)).sort().join())).toEqual([
    'bet_amount',
    'game_time,level,lines,score',
    'bet_amount',
    'game_time,level,lines,score',
  ]);
  expect(sent.filter((text) => /guess|streak/.test(text) && text.includes('/api/'))).toEqual([]);
  expect(faults).toEqual([]);
  await context.close();
});

it('a round goes on after a reload, and in another language, without a second start', {
  timeout: LONG_MS,
}, async () => {
  const { context, page } = await open('tetris', {
    isWanted: ({ ticks }) => ticks >= LONG_TICKS,
  });
  let starts = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/game/tetris/start')) starts++;
  });
  await start(page).click();
  const { tick: seen } = await momentAfter(page, 3);
  await page.reload();
  const resumed = await momentAfter(page, 0);
  expect(resumed.tick).toBeGreaterThanOrEqual(seen);
  await page.locator('.language-switch').getByRole('button', { name: 'EN' }).click();
  await page.getByText('It plays by itself').waitFor();
  const translated = await momentAfter(page, resumed.tick);
  expect(translated.tick).toBeGreaterThan(resumed.tick);
  expect(starts).toBe(1);
  await context.close();
});

it.each(Object.keys(GAMES) as GameId[])(
  'the disclosure of %s is above the fold, Chinese until a language is chosen',
  {
    timeout: LONG_MS,
  },
  async (game) => {
    for (const size of SIZES) {
      const { context, page } = await open(game, { moving: false });
      await page.setViewportSize(size);
      const chinese = page.locator('[lang="zh-CN"]').getByText('任何操作都不会改变结果');
      const english = page.getByText('Your input does not change it');
      const endOf = async (one: typeof english) => {
        const box = await one.boundingBox();
        return (box?.y ?? 1e9) + (box?.height ?? 0);
      };
      const isAbove = async (text: typeof english, button: string) => {
        await text.waitFor();
        await expect.poll(() => endOf(text)).toBeLessThan(size.height / 2.5);
        const press = page.getByRole('button', { name: button });
        await expect
          .poll(async () => (await endOf(press)) - (await bottomOf(page)))
          .toBeLessThan(0);
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
  },
);

it('a running field is between the header and the bar of a phone', {
  timeout: LONG_MS,
}, async () => {
  for (const size of SIZES) {
    const { context, page } = await open('snake', { moving: false });
    await page.setViewportSize(size);
    // The rounds go on as long as they are looked at.
    await page.route('**/api/v1/game/*/play', (route) => route.abort());
    for (const game of Object.keys(GAMES)) {
      await page.goto(`${site.url}/${game}`);
      await start(page).waitFor();
      // The button may be far below after a choice of text size: from there the field is out of sight.
      await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
      await start(page).click();
      await page.locator('.mini-cabinet[data-phase="running"]').waitFor();
      const fits = async () => {
        const bottom = await bottomOf(page);
        return page.evaluate((end) => {
          const field = document.querySelector('.mini-field')?.getBoundingClientRect();
          const header = document.querySelector('header')?.getBoundingClientRect();
          return field && header && field.top >= header.bottom && field.bottom < end;
        }, bottom);
      };
      await expect.poll(fits, { message: `${game} of ${size.width}` }).toBe(true);
    }
    await context.close();
  }
});

it('after a round, "Play again" is above the bar of a phone without scrolling', {
  timeout: LONG_MS,
}, async () => {
  const { context, page } = await open('minesweeper', {
    moving: false,
    isWanted: (round) => !round.isWon && round.ticks > 1 && round.ticks < 20,
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await start(page).click();
  await page.locator('.mini-outcome[data-phase="over"]').waitFor();
  await page.evaluate(() => window.scrollTo(0, 0));
  const box = await start(page).boundingBox();
  expect((box?.y ?? 0) + (box?.height ?? 900)).toBeLessThanOrEqual(await bottomOf(page));
  await context.close();
});

it('with reduced motion nothing moves; the remembered sound plays', {
  timeout: LONG_MS,
}, async () => {
  const { context, page } = await open('minesweeper', {
    moving: false,
    isWanted: ({ ticks }) => ticks > 5 && ticks < 80,
  });
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
  for (let before = 0; ; ) {
    const now = await momentAfter(page, before);
    expect(await moving()).toBe(0);
    expectAgreement('minesweeper', now);
    expect(now.celebrates).toBe(false);
    if (now.result !== '') break;
    before = now.tick;
  }
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
