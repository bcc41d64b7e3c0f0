/** Sizes of first visits on the wire; times are measured by `npm run bench -- web`. */
import { expect, it } from 'vitest';
import { BUDGETS_KB, givePlayed, playSlot, visitHome } from '../bench/visits.ts';
import { browser, site, useSite } from './use-site.ts';

/** Above the goal of 230 KB: the limit keeps it from growing. */
const EMPTY_HOME_ALL_KB = 233;

useSite();

it.each([
  { ledger: 'with a big win', isEmpty: false, shown: 'Anna', all: BUDGETS_KB.homeAll },
  { ledger: 'without a win', isEmpty: true, shown: 'No big win yet.', all: EMPTY_HOME_ALL_KB },
])("a visitor's home $ledger is within its budgets", async ({ isEmpty, shown, all }) => {
  const { page, wire } = await visitHome(browser, site.url, { isEmpty });
  await page.getByText(shown).first().waitFor();
  expect(wire.scripts).toBeGreaterThan(0);
  expect(wire.scripts, 'JavaScript').toBeLessThan(BUDGETS_KB.homeScripts);
  expect(wire.all, 'all').toBeLessThan(all);
  await page.context().close();
});

it('the slot machine of a signed-in player is within its budget when SPIN works', async () => {
  const { page, wire } = await playSlot(browser, site.url, await givePlayed(browser, site.url));
  expect(wire.scripts).toBeGreaterThan(0);
  expect(wire.scripts, 'JavaScript').toBeLessThan(BUDGETS_KB.spinScripts);
  await page.context().close();
});
