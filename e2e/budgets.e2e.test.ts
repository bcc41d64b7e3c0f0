/** Sizes of first visits on the wire; times are measured by `npm run bench -- web`. */
import { expect, it } from 'vitest';
import { BUDGETS_KB, givePlayed, playSlot, SCRIPT_FILES_MAX, visitHome } from '../bench/visits.ts';
import { browser, site, useSite } from './use-site.ts';

useSite();

it.each([
  { ledger: 'with a big win', isEmpty: false, shown: 'Anna' },
  { ledger: 'without a win', isEmpty: true, shown: 'No big win yet.' },
])("a visitor's home $ledger is within its budgets", async ({ isEmpty, shown }) => {
  const { page, wire } = await visitHome(browser, site.url, { isEmpty });
  await page.getByText(shown).first().waitFor();
  expect(wire.scripts).toBeGreaterThan(0);
  expect(wire.scripts, 'JavaScript').toBeLessThan(BUDGETS_KB.homeScripts);
  expect(wire.scriptFiles, 'files').toBeLessThanOrEqual(SCRIPT_FILES_MAX);
  expect(wire.all, 'all').toBeLessThan(BUDGETS_KB.homeAll);
  await page.context().close();
});

it('the slot machine of a signed-in player is within its budget when SPIN works', async () => {
  const { page, wire } = await playSlot(browser, site.url, await givePlayed(browser, site.url));
  expect(wire.scripts).toBeGreaterThan(0);
  expect(wire.scripts, 'JavaScript').toBeLessThan(BUDGETS_KB.spinScripts);
  expect(wire.scriptFiles, 'files').toBeLessThanOrEqual(SCRIPT_FILES_MAX);
  await page.context().close();
});
