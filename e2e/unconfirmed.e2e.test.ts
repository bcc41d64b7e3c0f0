/** A bet whose response is lost: the app places nothing without a press, and sends nothing twice. */
import type { BrowserContext, Page, Route } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { expectAccessible, picture } from './browser.ts';
import {
  ask,
  exchange,
  landed,
  respond,
  signIn,
  slotHistory,
  waitForText,
  withdrawal,
} from './player.ts';
import { installWallet } from './test-wallet.ts';
import { context, page, site, useSite, useVisitor } from './use-site.ts';

useSite();
useVisitor();

beforeEach(async () => {
  await installWallet(context);
  // A bet that is not found for 20 s is discarded: only where a test moves the time.
  await page.clock.setFixedTime(Date.now());
  await signIn(page, site.url);
  await page.goto(`${site.url}/slot-machine`);
  await page.getByRole('button', { name: 'SPIN' }).waitFor();
});

const spin = () => page.getByRole('button', { name: 'SPIN' }).click();
const played = async () => (await slotHistory(site, page)).total;
const discard = () => page.getByRole('button', { name: 'Discard' }).click();
const NOT_PLACED = 'The bet of 1 was not placed. Nothing was staked.';
const focused = () => page.evaluate(() => document.activeElement?.textContent);
/** By then a bet that the ledger does not have is discarded. */
const TOO_LATE_MS = 25_000;
const UNCONFIRMED = /Your bet of 1 at [\d: -]+ is not confirmed:/;

/** Routes bets through `cut`, and counts them. */
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
async function beforeResponse(route: Route): Promise<void> {
  await route.fetch();
  await route.abort();
}

describe('lost before the request', () => {
  it('a bet that never arrived is not placed later', async () => {
    const { sent } = await cutBets(beforeRequest);
    await spin();
    await waitForText(page, UNCONFIRMED);
    await waitForText(page, 'not in the ledger yet.');
    await expectAccessible(page, 'an unconfirmed bet');
    await picture(page, 'unconfirmed');
    await page.reload();
    await waitForText(page, 'not in the ledger yet.');
    expect(await played()).toBe(0);
    await discard();
    await waitForText(page, NOT_PLACED);
    expect(await page.getByText('Game failed').count()).toBe(0);
    expect(await focused()).toBe('SPIN');
    // The delayed request arrives too late.
    const [request] = sent;
    expect(sent).toHaveLength(1);
    const late = await context.request.fetch(request?.request() ?? '');
    expect(late.status()).toBe(422);
    await context.unroute('**/api/v1/game/slot-machine/bet');
    await spin();
    await landed(page);
    expect(await played()).toBe(1);
  });

  it('a bet that did not arrive in time is discarded, and SPIN is free again', async () => {
    const { sent } = await cutBets(beforeRequest);
    await spin();
    await waitForText(page, 'not in the ledger yet.');
    await page.clock.setFixedTime(Date.now() + TOO_LATE_MS);
    await waitForText(page, NOT_PLACED);
    await expect.poll(() => page.getByRole('button', { name: 'SPIN' }).count()).toBe(1);
    const late = await context.request.fetch(sent[0]?.request() ?? '');
    expect([sent.length, late.status(), await played()]).toEqual([1, 422, 0]);
    await context.unroute('**/api/v1/game/slot-machine/bet');
    await page.getByRole('button', { name: 'Play 1 again' }).click();
    await landed(page);
    expect(await played()).toBe(1);
  });

  it('after another amount is chosen, the amount of the lost bet is not staked', async () => {
    await cutBets(beforeRequest);
    await spin();
    await waitForText(page, UNCONFIRMED);
    await discard();
    await waitForText(page, NOT_PLACED);
    await context.unroute('**/api/v1/game/slot-machine/bet');
    await page.getByRole('button', { name: '10', exact: true }).click();
    await spin();
    await landed(page);
    expect((await slotHistory(site, page)).items).toMatchObject([{ bet_amount: 10 }]);
  });
});

describe('lost before the response', () => {
  it('a bet without a response is not sent again', async () => {
    const { sent } = await cutBets(beforeResponse);
    await spin();
    await landed(page);
    expect(sent).toHaveLength(1);
    expect(await played()).toBe(1);
  });

  it('a reload while the response is missing shows the result once', async () => {
    await page.route('**/api/v1/user/commands/**', (route) => route.abort());
    const { sent } = await cutBets(beforeResponse);
    await spin();
    await waitForText(page, 'the server does not respond.');
    await page.unroute('**/api/v1/user/commands/**');
    await page.reload();
    await landed(page);
    await page.reload();
    await page.locator('.result-line[data-phase=idle]').waitFor();
    expect(sent).toHaveLength(1);
    expect(await played()).toBe(1);
  });

  it('discarding a bet that had been placed shows its result', async () => {
    await page.route('**/api/v1/user/commands/*', (route) => route.abort());
    await cutBets(beforeResponse);
    await spin();
    await waitForText(page, 'the server does not respond.');
    await discard();
    await landed(page);
    expect(await played()).toBe(1);
  });
});

/** A proxy's, or one of the API that is about the query: neither is an outcome of the command. */
const REFUSALS = [
  ['a page of a proxy', { status: 403, contentType: 'text/html', body: '<h1>Not here</h1>' }],
  ['a refusal', { status: 403, json: { code: 403, message: 'not now', data: null } }],
] as const;

describe.each(REFUSALS)('%s', (_what, answer) => {
  const QUERY = '**/api/v1/user/commands/**';

  it('for the query of a bet: it is queried again, and never called failed', async () => {
    await page.route(QUERY, (route) => route.fulfill(answer));
    const { sent } = await cutBets(beforeResponse);
    await spin();
    await waitForText(page, 'the server does not respond.');
    expect(await page.getByText('Game failed').count()).toBe(0);
    await page.unroute(QUERY);
    await landed(page);
    expect([sent.length, await played()]).toEqual([1, 1]);
  });

  it('for the query of a start, and for the open round', async () => {
    const ROUND = '**/api/v1/game/tetris/round';
    await page.goto(`${site.url}/tetris`);
    await page.getByRole('button', { name: '开始游戏' }).waitFor();
    for (const path of [QUERY, ROUND]) await page.route(path, (route) => route.fulfill(answer));
    await context.route('**/api/v1/game/tetris/start', beforeResponse);
    await page.getByRole('button', { name: '开始游戏' }).click();
    const notice = page.getByRole('button', { name: '放弃' });
    await notice.waitFor();
    await page.unroute(QUERY);
    expect(await page.locator('.toast').count()).toBe(0);
    await page.unroute(ROUND);
    await notice.waitFor({ state: 'detached' });
    expect(await page.locator('.toast').count()).toBe(0);
  });
});

it('an answer of a proxy to a bet that was placed is no refusal', async () => {
  const { sent } = await cutBets(async (route) => {
    await route.fetch();
    await route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Not here</h1>' });
  });
  await spin();
  await landed(page);
  expect([sent.length, await played()]).toEqual([1, 1]);
});

describe('a mini-game', () => {
  it('starts no round and takes no fee after its start was discarded', async () => {
    await page.goto(`${site.url}/tetris`);
    const starts: Route[] = [];
    await page.route('**/api/v1/game/tetris/start', async (route) => {
      starts.push(route);
      await route.abort();
    });
    await page.getByRole('button', { name: /Start game|开始游戏/ }).click();
    await page.getByRole('button', { name: /Discard|放弃/ }).waitFor();
    expect(await page.getByText(/runs automatically|自动进行，离开/).count()).toBe(0);
    await page.getByRole('button', { name: /Discard|放弃/ }).click();
    await page.getByRole('button', { name: /Start game|开始游戏/ }).waitFor();
    expect(await focused()).toMatch(/Start game|开始游戏/);
    expect(starts).toHaveLength(1);
    const late = await context.request.fetch(starts[0]?.request() ?? '');
    expect(late.status()).toBe(422);
  });
});

/** The page never calls them failed while it is unknown whether they were executed. */
describe.each([exchange, withdrawal])('a lost $kind', ({ kind, call, amount, done, send }) => {
  const QUERY = '**/api/v1/user/commands/**';
  const unconfirmed = () =>
    page.getByRole('alert').filter({ hasText: `Your ${kind} of ${amount} at` });
  const executed = async () => {
    await site.caughtUp();
    const [type, movements] = kind === 'exchange' ? ['exchange', 2] : ['withdraw', 1];
    const { total } = await ask<{ total: number }>(page, `/user/transactions?type=${type}`);
    return total / movements;
  };
  const failures = () => page.locator('.toast', { hasText: 'failed' }).count();
  let before = 0;

  beforeEach(async () => {
    await page.goto(`${site.url}/wallet`);
    if (kind === 'withdrawal') {
      await exchange.send(page, '600');
      await waitForText(page, 'Exchanged: you received 6.00 BSM.');
    }
    before = await executed();
  });

  it('before the request: it is not confirmed, also after a reload, and a new try follows the discard', async () => {
    const sent: Route[] = [];
    await context.route(call, async (route) => {
      sent.push(route);
      await route.abort();
    });
    await send(page);
    await unconfirmed().getByText('not in the ledger yet.').waitFor();
    await expectAccessible(page, `an unconfirmed ${kind}`);
    await picture(page, `unconfirmed-${kind}`);
    await page.reload();
    await unconfirmed().getByText('not in the ledger yet.').waitFor();
    expect(await failures()).toBe(0);
    await unconfirmed().getByRole('button', { name: 'Discard' }).click();
    await waitForText(page, `The ${kind} of ${amount} was not made. Nothing was moved.`);
    const late = await context.request.fetch(sent[0]?.request() ?? '');
    expect([sent.length, late.status(), await executed()]).toEqual([1, 422, before]);
    await context.unroute(call);
    await send(page);
    await waitForText(page, done);
    expect(await executed()).toBe(before + 1);
  });

  it('is named where a phone shows it', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await context.route(call, (route) => route.abort());
    await page.route(QUERY, (route) => route.abort());
    await send(page);
    await unconfirmed().first().waitFor();
    const isInView = () =>
      unconfirmed()
        .last()
        .evaluate((shown) => {
          const { top, bottom } = shown.getBoundingClientRect();
          const [header, bar] = ['header', '.bottom-bar'].map((one) =>
            document.querySelector(one)?.getBoundingClientRect(),
          );
          return header && bar && top >= header.bottom && bottom <= bar.top;
        });
    await expect.poll(isInView).toBe(true);
  });

  it('before the answer: its result is found, and nothing is sent twice', async () => {
    const sent: Route[] = [];
    await context.route(call, async (route) => {
      sent.push(route);
      await beforeResponse(route);
    });
    await send(page);
    await waitForText(page, done);
    expect([sent.length, await executed()]).toEqual([1, before + 1]);
    expect(await failures()).toBe(0);
  });

  it('before the answer, while another page is opened: its result is shown there, once', async () => {
    await page.route(QUERY, (route) => route.abort());
    await context.route(call, beforeResponse);
    await send(page);
    await unconfirmed().getByText('the server does not respond.').waitFor();
    await page.goto(`${site.url}/profile`);
    await page.unroute(QUERY);
    await page.goto(`${site.url}/wallet`);
    await waitForText(page, done);
    await page.goto(`${site.url}/wallet`);
    await page.getByRole('heading', { name: 'Wallet' }).waitFor();
    expect(await unconfirmed().count()).toBe(0);
    expect(await executed()).toBe(before + 1);
  });

  it('an answer that is none of the API is not called a failure', async () => {
    await respond(page, call.slice('**/api/v1'.length), 'invalid');
    await page.route(QUERY, (route) => route.abort());
    await send(page);
    await unconfirmed().getByText('the server does not respond.').waitFor();
    expect(await failures()).toBe(0);
  });

  it.each(REFUSALS)('%s for its query: it is queried again', async (_what, answer) => {
    await page.route(QUERY, (route) => route.fulfill(answer));
    await context.route(call, async (route) => {
      await route.fetch();
      await route.fulfill({ status: 403, contentType: 'text/html', body: '<h1>Not here</h1>' });
    });
    await send(page);
    await unconfirmed().getByText('the server does not respond.').waitFor();
    await page.unroute(QUERY);
    await waitForText(page, done);
    expect([await failures(), await executed()]).toEqual([0, before + 1]);
  });

  it('in two tabs: the second waits for the first', async () => {
    const sent: Route[] = [];
    await context.route(call, async (route) => {
      sent.push(route);
      await route.abort();
    });
    await page.route(QUERY, (route) => route.abort());
    await send(page);
    await unconfirmed().first().waitFor();
    const other = await context.newPage();
    await other.goto(`${site.url}/wallet`);
    await other.getByText(`Your ${kind} of ${amount} at`).first().waitFor();
    expect(sent).toHaveLength(1);
  });
});
