/** `npm run bench -- web`: the first visit of the built home page in headless Chromium. Medians of several runs. */
import { brotliCompressSync } from 'node:zlib';
import { EXIT, type Exit, integerOption, print } from '@reelbook/runtime/command';
import { defineCommand, textOr } from '@reelbook/runtime/command-line';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findChromium } from '../e2e/chromium.ts';
import { startStandalone } from '../e2e/standalone.ts';
import { quantile } from './measure.ts';

const GOALS = { scriptKb: 120, paintMs: 1_500, blockingMs: 150, shift: 0.02 } as const;
/** Tasks longer than this count as blocking. */
const TASK_MS = 50;
const SETTLE_MS = 1_500;
const RUNS_MAX = 50;
const SLOW_MAX = 100;

interface Visit {
  readonly scriptKb: number;
  readonly paintMs: number;
  readonly blockingMs: number;
  readonly shift: number;
}

export const command = defineCommand({
  usage: { '[--runs N] [--slow N]': '' },
  about: `First-load JavaScript in brotli, largest paint, blocking time and layout shift of home, with a CPU
that is slowed down by a factor. Each run is a new visitor without a cache. Needs Chromium (CHROMIUM overrides its path).`,
  options: { runs: textOr('5', 'N', 'visits'), slow: textOr('4', 'N', 'CPU slow-down factor') },
  run: measure,
});

async function measure(values: Record<'runs' | 'slow', string>): Promise<Exit> {
  const runs = integerOption(values, 'runs', { max: RUNS_MAX });
  const slow = integerOption(values, 'slow', { max: SLOW_MAX });
  const site = await startStandalone();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const visits: Visit[] = [];
    for (let run = 0; run < runs; run++) visits.push(await visitHome(browser, site.url, slow));
    report('first-load JavaScript, brotli', visits, 'scriptKb', 'KB', 1);
    report(`largest paint at ${slow}x slow-down`, visits, 'paintMs', 'ms', 0);
    report(`blocking time at ${slow}x slow-down`, visits, 'blockingMs', 'ms', 0);
    report('layout shift', visits, 'shift', '', 4);
    return EXIT.done;
  } finally {
    await browser.close();
    await site.stop();
  }
}

function report(
  what: string,
  visits: readonly Visit[],
  key: keyof Visit,
  unit: string,
  digits: number,
): void {
  const sorted = visits.map((visit) => visit[key]).sort((a, b) => a - b);
  const value = quantile(sorted, 0.5);
  const met = value < GOALS[key] ? 'met' : 'MISSED';
  const [figure, goal] = [value.toFixed(digits), GOALS[key]].map((n) => `${n} ${unit}`.trim());
  print(`${what.padEnd(36)} ${figure?.padEnd(12)} goal ${goal}, ${met}`);
}

async function visitHome(browser: Browser, url: string, slow: number): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const scripts: Promise<Buffer>[] = [];
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.push(response.body());
  });
  await page.addInitScript({ content: OBSERVE });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow });
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(SETTLE_MS);
  const seen = await readSeen(page);
  const bytes = (await Promise.all(scripts)).map((body) => brotliCompressSync(body).byteLength);
  await context.close();
  return { ...seen, scriptKb: bytes.reduce((sum, one) => sum + one, 0) / 1024 };
}

interface Seen {
  paintMs: number;
  shift: number;
  tasks: number[];
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

async function readSeen(page: Page): Promise<Omit<Visit, 'scriptKb'>> {
  const { paintMs, shift, tasks } = await page.evaluate(
    () => (window as unknown as { seen: Seen }).seen,
  );
  if (paintMs === 0) throw new Error('nothing was measured: the page did not paint');
  const blockingMs = tasks.reduce((sum, task) => sum + Math.max(0, task - TASK_MS), 0);
  return { paintMs, shift, blockingMs };
}
