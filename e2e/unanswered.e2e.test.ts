/** A bet whose answer is lost on the way: nothing is placed that was not pressed, and nothing is sent twice. */
import type { BrowserContext, Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import { landed, said, signIn, slotHistory } from './player.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

beforeEach(async () => {
  await installWallet(context);
  await signIn(page, site.url);
  await page.goto(`${site.url}/slot-machine`);
  await page.getByRole('button', { name: 'SPIN' }).waitFor();
});

const spin = () => page.getByRole('button', { name: 'SPIN' }).click();
const played = async () => (await slotHistory(site, page)).total;
const discard = () => page.getByRole('button', { name: 'Discard' }).click();
const UNANSWERED = /Your bet of 1 at \d\d:\d\d was not answered:/;

/** Lets `cut` answer bets, and counts them. */
async function cutBets(cut: (route: Route) => Promise<void>): Promise<{ readonly sent: Route[] }> {
  const sent: Route[] = [];
  await onBets(context, async (route) => {
    sent.push(route);
    await cut(route);
  });
  return { sent };
}

const onBets = (where: BrowserContext | Page, handler: (route: Route) => Promise<void>) =>
  where.route('**/api/v1/game/slot-machine/bet', handler);

const beforeRequest = (route: Route) => route.abort();
async function beforeAnswer(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

describe('cut before the request', () => {
  it('a bet that never arrived was placed later, unasked', async () => {
    const { sent } = await cutBets(beforeRequest);
    await spin();
    await said(page, UNANSWERED);
    await said(page, 'it is not in the ledger so far.');
    await expectAccessible(page, 'an unanswered bet');
    await picture(page, 'unanswered');
    await page.reload();
    await said(page, 'it is not in the ledger so far.');
    expect(await played()).toBe(0);
    await discard();
    await said(page, 'The bet of 1 is discarded. Nothing was staked.');
    // What was still on its way comes too late.
    const [request] = sent;
    expect(sent).toHaveLength(1);
    const late = await context.request.fetch(request?.request() ?? '');
    expect(late.status()).toBe(422);
    await context.unroute('**/api/v1/game/slot-machine/bet');
    await spin();
    await landed(page);
    expect(await played()).toBe(1);
  });

  it('another amount was chosen, and the amount of the lost bet was staked', async () => {
    await cutBets(beforeRequest);
    await spin();
    await said(page, UNANSWERED);
    await discard();
    await said(page, 'is discarded.');
    await context.unroute('**/api/v1/game/slot-machine/bet');
    await page.getByRole('button', { name: '10', exact: true }).click();
    await spin();
    await landed(page);
    expect((await slotHistory(site, page)).items).toMatchObject([{ bet_amount: 10 }]);
  });
});

describe('cut before the answer', () => {
  it('a bet without an answer was sent again', async () => {
    const { sent } = await cutBets(beforeAnswer);
    await spin();
    await landed(page);
    expect(sent).toHaveLength(1);
    expect(await played()).toBe(1);
  });

  it('a reload while the answer was missing showed the result twice, or never', async () => {
    await page.route('**/api/v1/user/commands/**', (route) => route.abort());
    const { sent } = await cutBets(beforeAnswer);
    await spin();
    await said(page, 'the server does not answer.');
    await page.unroute('**/api/v1/user/commands/**');
    await page.reload();
    await landed(page);
    await page.reload();
    await page.locator('.result-line[data-phase=idle]').waitFor();
    expect(sent).toHaveLength(1);
    expect(await played()).toBe(1);
  });

  it('a discarded bet that had been placed was said to be gone', async () => {
    await page.route('**/api/v1/user/commands/*', (route) => route.abort());
    await cutBets(beforeAnswer);
    await spin();
    await said(page, 'the server does not answer.');
    await discard();
    await landed(page);
    expect(await played()).toBe(1);
  });
});

describe('a server that restarts', () => {
  it('placed a bet that was pressed while it was away, when the page was opened again', async () => {
    await site.restart(async () => {
      await spin();
      await said(page, 'the server does not answer.');
    });
    await page.reload();
    await said(page, 'it is not in the ledger so far.');
    expect(await played()).toBe(0);
    await discard();
    await said(page, 'The bet of 1 is discarded.');
    expect(await played()).toBe(0);
  });
});

describe('a mini-game', () => {
  it('began a round and took its fee after its start was given up', async () => {
    await page.goto(`${site.url}/tetris`);
    const starts: Route[] = [];
    await page.route('**/api/v1/game/tetris/start', async (route) => {
      starts.push(route);
      await route.abort();
    });
    await page.getByRole('button', { name: /Start game|开始游戏/ }).click();
    await page.getByRole('button', { name: /Discard|放弃/ }).click();
    await page.getByRole('button', { name: /Start game|开始游戏/ }).waitFor();
    expect(starts).toHaveLength(1);
    const late = await context.request.fetch(starts[0]?.request() ?? '');
    expect(late.status()).toBe(422);
  });
});
