/**
 * Shared by the tests of one file: a site and a browser for all of them, a visitor for each. They are exported as
 * variables that the hooks set: every test file loads its own instance of this module.
 */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, type TestContext } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { type Standalone, startStandalone } from './standalone.ts';

export let site: Standalone;
export let browser: Browser;
export let context: BrowserContext;
export let page: Page;

/** Starts the `site` and the `browser` before the first test of a file, and stops them after the last. */
export function useSite(settings: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    [site, browser] = await Promise.all([startStandalone(settings), openBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });
  afterEach(describeFailure);
}

/** Gives each test of a file, or of a group, a new visitor on a desktop: `page` and its `context`. */
export function useVisitor(): void {
  beforeEach(async () => {
    ({ context, page } = await visit(browser, 'desktop'));
  });
  afterEach(() => context?.close());
  // Hooks run in reverse order: this one runs before the page is closed.
  afterEach(describeFailure);
}

/** Prints what the open pages show when a test failed: in CI only the log remains. */
async function describeFailure({ task }: TestContext): Promise<void> {
  if (task.result?.state !== 'fail') return;
  for (const open of browser.contexts().flatMap((one) => one.pages())) {
    const text = await open.evaluate(readPage).catch(String);
    console.error(`"${task.name}" failed with ${open.url()} open:\n${text}`);
  }
}

function readPage(): string {
  const focused = document.activeElement?.outerHTML.slice(0, 200);
  return `${document.body.textContent.slice(0, 2_000)}\n[focus: ${focused}]`;
}
