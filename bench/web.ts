/** `npm run bench -- web`: first visits of the built pages in headless Chromium. */
import {
  defineCommand,
  EXIT,
  type Exit,
  integerOption,
  print,
  textOr,
} from '@reelbook/runtime/command';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../e2e/chromium.ts';
import { type Standalone, startStandalone } from '../e2e/standalone.ts';
import { quantile } from './measure.ts';
import {
  BUDGETS_KB,
  type Conditions,
  givePlayed,
  playSlot,
  SCRIPT_FILES_MAX,
  visitHome,
  type Wire,
} from './visits.ts';

const GOALS = { paintMs: 1_500, blockingMs: 150, shift: 0.02, spinMs: 2_800 } as const;
/** Tasks longer than this count as blocking. */
const TASK_MS = 50;
const SETTLE_MS = 1_500;
const RUNS_MAX = 50;
const SLOW_MAX = 100;
const LATENCY_MAX = 10_000;
const NAME_WIDTH = 32;

export const command = defineCommand({
  usage: { '[--runs N] [--slow N] [--latency N]': '' },
  about: `Bytes on the wire of a visitor's home, and of the slot machine of a signed-in player until a press of SPIN places
a bet; largest paint, blocking time and layout shift of home, and the time until SPIN works,
with a slow processor. Each visit starts without a cache. Needs Chromium (CHROMIUM overrides its path).`,
  options: {
    runs: textOr('5', 'N', 'visits per time; the median is printed'),
    slow: textOr('4', 'N', 'CPU slow-down factor'),
    latency: textOr('150', 'N', 'ms, latency of each request for the time until SPIN works'),
  },
  run: measure,
});

async function measure(values: Record<'runs' | 'slow' | 'latency', string>): Promise<Exit> {
  const runs = integerOption(values, 'runs', { max: RUNS_MAX });
  const slow = integerOption(values, 'slow', { max: SLOW_MAX });
  const latencyMs = integerOption(values, 'latency', { max: LATENCY_MAX });
  const site = await startStandalone();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    await measureWire(browser, site);
    await measureHome(browser, site.url, { slow, latencyMs: 0 }, runs);
    await measureSpin(browser, site.url, { slow, latencyMs }, runs);
    return EXIT.done;
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function measureWire(browser: Browser, site: Standalone): Promise<void> {
  for (const isEmpty of [false, true]) {
    const { page, wire: home } = await visitHome(browser, site.url, { isEmpty });
    await page.context().close();
    printWire(isEmpty ? 'home before the first big win' : 'home of a visitor', home);
    printScripts(home, BUDGETS_KB.homeScripts);
    printGoal('  all of it', home.all, BUDGETS_KB.homeAll, 'KB', 1);
  }
  const slot = await playSlot(browser, site.url, await givePlayed(browser, site.url));
  await slot.page.context().close();
  printWire('slot machine until SPIN works', slot.wire);
  printScripts(slot.wire, BUDGETS_KB.spinScripts);
}

function printScripts({ scripts, scriptFiles }: Wire, goalKb: number): void {
  printGoal('  its JavaScript', scripts, goalKb, 'KB', 1);
  printGoal('  in files', scriptFiles, SCRIPT_FILES_MAX, '', 0);
}

function printWire(name: string, { requests, scriptFiles: _, ...kb }: Wire): void {
  const parts = Object.entries(kb).map(([kind, size]) => `${kind} ${size.toFixed(1)} KB`);
  print(`${name.padEnd(NAME_WIDTH)} ${[`requests ${requests}`, ...parts].join(', ')}`);
}

function printGoal(name: string, value: number, goal: number, unit: string, digits: number): void {
  const [figure, wanted] = [value.toFixed(digits), goal].map((n) => `${n} ${unit}`.trim());
  const met = value <= goal ? 'met' : 'MISSED';
  print(`${name.padEnd(NAME_WIDTH)} ${figure?.padEnd(12)} goal ${wanted}, ${met}`);
}

async function measureSpin(
  browser: Browser,
  url: string,
  conditions: Conditions,
  runs: number,
): Promise<void> {
  const state = await givePlayed(browser, url);
  const spins: number[] = [];
  for (let run = 0; run < runs; run++) {
    const { page, spinMs } = await playSlot(browser, url, state, conditions);
    spins.push(spinMs);
    await page.context().close();
  }
  const { slow, latencyMs } = conditions;
  printGoal(`SPIN works, ${slow}x and ${latencyMs} ms`, median(spins), GOALS.spinMs, 'ms', 0);
}

const median = (values: readonly number[]): number =>
  quantile(
    [...values].sort((a, b) => a - b),
    0.5,
  );

async function measureHome(
  browser: Browser,
  url: string,
  conditions: Conditions,
  runs: number,
): Promise<void> {
  const visits: Seen[] = [];
  for (let run = 0; run < runs; run++) {
    const { page } = await visitHome(browser, url, { conditions, observe: OBSERVE });
    await page.waitForTimeout(SETTLE_MS);
    visits.push(await readSeen(page));
    await page.context().close();
  }
  const of = (key: keyof Seen) => median(visits.map((visit) => visit[key]));
  const { slow } = conditions;
  printGoal(`largest paint of home, ${slow}x`, of('paintMs'), GOALS.paintMs, 'ms', 0);
  printGoal(`blocking time of home, ${slow}x`, of('blockingMs'), GOALS.blockingMs, 'ms', 0);
  printGoal('layout shift of home', of('shift'), GOALS.shift, '', 4);
}

interface Seen {
  readonly paintMs: number;
  readonly blockingMs: number;
  readonly shift: number;
}

/** Runs in the page before its own scripts. Passed as text, because the TypeScript loader rewrites functions. */
const OBSERVE = `
  window.seen = { paintMs: 0, shift: 0, tasks: [] };
  const watch = (type, each) =>
    new PerformanceObserver((list) => list.getEntries().forEach(each)).observe({ type, buffered: true });
  watch('largest-contentful-paint', (entry) => { seen.paintMs = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.shift += entry.value; });
  watch('longtask', (entry) => { seen.tasks.push(entry.duration); });
`;

async function readSeen(page: Page): Promise<Seen> {
  const { paintMs, shift, tasks } = await page.evaluate(
    () => (window as unknown as { seen: { paintMs: number; shift: number; tasks: number[] } }).seen,
  );
  if (paintMs === 0) throw new Error('nothing was measured: the page did not paint');
  const blockingMs = tasks.reduce((sum, task) => sum + Math.max(0, task - TASK_MS), 0);
  return { paintMs, shift, blockingMs };
}
