import { expect, test } from 'vitest';
import type { Check } from './health.ts';
import { openLog } from './log.ts';
import { Gauge, measureChecks, openMetrics } from './metrics.ts';
import { openStatus, VERSION } from './service.ts';

const log = openLog({ name: 'test', level: 'silent' });

test('/live, /ready and /metrics report the state of a process', async () => {
  const closers: (() => Promise<void> | void)[] = [];
  let fault: string | null = null;
  const checks: Check[] = [
    { name: 'ledger', check: () => fault },
    { name: 'bus', check: () => 'away', optional: true },
  ];
  const registries = ['one', 'two'].map((name) => {
    const registry = openMetrics(name);
    new Gauge({ name: `reelbook_${name}`, help: 'a figure', registers: [registry] }).set(7);
    return registry;
  });
  measureChecks(registries[0] ?? openMetrics('none'), checks);
  const broken = openMetrics('three');
  const collect = () => Promise.reject(new Error('no database'));
  new Gauge({ name: 'reelbook_three', help: 'a figure', registers: [broken], collect });
  registries.push(broken);
  const life = {
    signal: new AbortController().signal,
    onClose: (_: string, close: () => Promise<void> | void) => void closers.push(close),
    fail: () => {},
  };
  const settings = { statusHost: '127.0.0.1', statusPort: 0, buildCommit: 'abc' };
  const url = await openStatus(life, { log, settings, checks, registries });
  const ask = async (path: string) => {
    const answer = await fetch(url + path);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    return [answer.status, await answer.text()] as const;
  };
  expect(await ask('/ready')).toEqual([200, expect.stringContaining('"bus":"away"')]);
  fault = 'gone';
  expect(await ask('/ready?x')).toEqual([503, expect.stringContaining('"ledger":"gone"')]);
  expect(await ask('/live')).toEqual([200, '{"status":"ok"}']);
  const [, figures] = await ask('/metrics');
  expect(figures).toMatch(/reelbook_one\{service="one"\} 7[\s\S]*reelbook_two\{service="two"\} 7/);
  expect(figures).toContain(`reelbook_build_info{version="${VERSION}",commit="abc",node=`);
  expect(figures).toContain('reelbook_check_failing{check="ledger",service="one"} 1');
  expect(figures).toContain('reelbook_check_failing{check="bus",service="one"} 1');
  expect(figures).not.toContain('reelbook_three');
  fault = null;
  expect((await ask('/metrics'))[1]).toContain('check="ledger",service="one"} 0');
  expect((await ask('/other'))[0]).toBe(404);
  for (const close of closers) await close();
  await expect(fetch(url)).rejects.toThrow();
});
