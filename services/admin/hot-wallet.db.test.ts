/** A treasury above its cap is a warning in every view of operators, and not a fault of the ledger. */
import { auditLedger } from '@reelbook/audit/audit';
import { describeReport } from '@reelbook/audit/report';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { measureSolvency } from '@reelbook/payments/metrics';
import { Registry } from '@reelbook/runtime/metrics';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { observeTreasury } from '@reelbook/testing/treasury';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

const max = defaultConfig.withdraw.hotWalletMaxTokenMinor;

let site: TestSite;
let admin: AdminSite;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
});
afterAll(async () => {
  await admin?.close();
  await site?.close();
});

async function look() {
  await untilCaughtUp(site.pool);
  const { data } = await admin.by.viewer.call<AdminData<'solvency'>>('/admin/house/solvency');
  const report = await auditLedger({ pool: site.pool, vault: null, onProgress: () => {} });
  const registry = new Registry();
  measureSolvency(registry, site.pool);
  const metric = /reelbook_token_balance\{part="over-cap"\} (\S+)/.exec(await registry.metrics());
  return {
    asked: { max: data.hot_wallet_max?.minor, over: data.over_cap?.minor ?? null },
    metric: Number(metric?.[1]),
    findings: report.findings.count,
    lines: describeReport(report, null, 1, 'a test').split('\n'),
  };
}

test('a treasury above its cap is a warning in console, audit and metrics, and the audit stays clean', async () => {
  await observeTreasury(site.pool, max);
  const within = await look();
  expect(within.asked).toEqual({ max: String(max), over: null });
  expect(within).toMatchObject({ metric: 0, findings: 0 });
  expect(within.lines.filter((line) => line.startsWith('WARNING'))).toEqual([]);

  await observeTreasury(site.pool, max + 3_000_000_000n);
  const above = await look();
  expect(above.asked).toEqual({ max: String(max), over: '3000000000' });
  expect(above).toMatchObject({ metric: 3, findings: 0 });
  expect(above.lines).toContain(
    'WARNING   the hot wallet holds 2000003 BSM, 3 BSM above its cap of 2000000 BSM',
  );
  expect(above.lines.at(-1)).toMatch(/^CLEAN/);
});
