/** The site and the browser of a test file, and a visitor for each of its tests: variables that the hooks set. */
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, inject, type TestContext } from 'vitest';
import { openBrowser, visit } from './browser.ts';
import { openSite, type Site } from './site.ts';
import { type Standalone, startStandalone } from './standalone.ts';

export let site: Site;
/** The site of `useOwnSite`, which its tests may restart. */
export let ownSite: Standalone;
/** One process for all files; a new one if it has ended. */
export let browser: Browser;
export let context: BrowserContext;
export let page: Page;

/** The tests of a file use the shared site, whose ledger has the events of other files too. */
export function useSite(): void {
  beforeAll(async () => {
    const reply = await fetch(inject('sharedSite'));
    if (!reply.ok) throw new Error(await reply.text());
    site = openSite(await reply.json());
  });
  useBrowser();
}

/** Starts a site for the tests of a file, and stops it after them. Takes seconds: each use gives its reason. */
export function useOwnSite(settings: Readonly<Record<string, string>> = {}): void {
  beforeAll(async () => {
    ownSite = await startStandalone(settings);
    site = openSite(ownSite);
  });
  // Hooks run in reverse order: the pages are closed before.
  afterAll(() => ownSite?.stop());
  useBrowser();
}

export function useBrowser(): void {
  beforeAll(async () => {
    if (!browser?.isConnected()) browser = await openBrowser();
  });
  afterAll(() => Promise.all(browser.contexts().map((one) => one.close())));
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
