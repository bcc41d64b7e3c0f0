import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import axe from 'axe-core';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { findChromium } from './chromium.ts';

const ARTIFACTS = fileURLToPath(new URL('../artifacts/', import.meta.url));

/** Phone, tablet and desktop widths of the design. */
export const WIDTHS = { phone: 360, tablet: 768, desktop: 1440 } as const;
const HEIGHT = 900;
const PATIENCE_MS = 60_000;

export async function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  });
}

/**
 * A visitor with a separate storage, who prefers dark colours, and reduced motion unless `moving`: without a GPU, animations take most of
 * the time of a test. `faults` collects what the page throws or logs as an error.
 */
export async function visit(
  browser: Browser,
  width: keyof typeof WIDTHS,
  { moving = false }: { readonly moving?: boolean } = {},
): Promise<{ context: BrowserContext; page: Page; faults: string[] }> {
  const viewport = { width: WIDTHS[width], height: HEIGHT };
  const reducedMotion = moving ? 'no-preference' : 'reduce';
  const context = await browser.newContext({ viewport, reducedMotion, colorScheme: 'dark' });
  // The default of 30 seconds is too short for a machine that does other work as well.
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    const text = `${message.text()} ${message.location().url}`;
    // A read model may exceed the server's wait; the page asks again after a 503.
    const isLate = text.includes('status of 503');
    if (message.type() === 'error' && !isLate) faults.push(text);
  });
  return { context, page, faults };
}

/** `PICTURES=yes`: saves a screenshot of the full page in artifacts/ for review. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  await mkdir(ARTIFACTS, { recursive: true });
  // On a scrolled page, fixed elements would appear in the middle.
  await page.evaluate(() => window.scrollTo(0, 0));
  // Elements that are laid out only near the viewport would be blank.
  await page.addStyleTag({ content: '.below-fold { content-visibility: visible }' });
  await page.screenshot({ path: `${ARTIFACTS}${name}.png`, fullPage: true });
}

/** Expects no serious or critical axe violation on the current page. */
export async function expectAccessible(page: Page, where: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // A colour between two states is neither: what moves, also from now on, is at its end.
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    const ended = 'animation-duration: 0s !important; animation-delay: 0s !important';
    still.replaceSync(`*, ::before, ::after { ${ended}; transition: none !important }`);
    document.adoptedStyleSheets.push(still);
  });
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, { resultTypes: ['violations'] }),
  );
  await page.evaluate(() => {
    document.adoptedStyleSheets.pop();
  });
  const serious = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
  const found = serious.map(
    (one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' | ')}`,
  );
  expect(found, where).toEqual([]);
}

declare global {
  interface Window {
    readonly axe: typeof axe;
  }
}
