import type { ChainOrder } from '@reelbook/audit/chain/reconcile';
import { sealDue } from '@reelbook/auditor/seal';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { TREASURY_STREAM } from '@reelbook/ledger/streams';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { ALL_TABLES, tamperWith } from '@reelbook/testing/tamper';
import type pg from 'pg';
import { expect } from 'vitest';
import { BSM, type ChainAudit, type PayingSite, startPayingSite } from './paying-site.ts';
import type { TestPlayer } from './site.ts';

/** A site whose two players deposited 50 BSM and withdrew 40 each; each withdrawal is sealed and anchored. No cashier runs. */
export interface PaidLedger {
  readonly bank: PayingSite;
  readonly ann: TestPlayer;
  readonly bert: TestPlayer;
  /** The audit, with its chain, of this ledger as the change leaves it; then the ledger is again as it was, without followers. */
  tampered(
    change: (client: pg.PoolClient) => Promise<unknown>,
    order?: Partial<ChainOrder>,
  ): Promise<ChainAudit>;
}

export async function startPaidLedger(): Promise<PaidLedger> {
  const bank = await startPayingSite();
  const [ann, bert] = [await bank.player(100n * BSM), await bank.player(100n * BSM)];
  const cashier = await bank.startCashier({ anchorEveryMs: 0 });
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  for (const player of [ann, bert]) {
    await bank.credit(player, 50n * BSM);
  }
  for (const player of [bert, ann]) {
    await bank.reaches(await bank.withdraw(player, 40), 'finalized');
    const seal = await sealAll(bank);
    await bank.until(async () => expect(await anchoredSeal(bank)).toBe(seal));
  }
  await bank.expectIntact();
  await cashier.close();
  const owner = bank.site.database.pool('owner');
  return {
    bank,
    ann,
    bert,
    async tampered(change, order) {
      // Followers would apply events that a change adds and the restore removes again.
      await owner.query("update checkpoints set status = 'stopped', error = 'tampered with'");
      return tamperWith(owner, change, () => bank.audit(order), ALL_TABLES);
    },
  };
}

/** Seals all there is. @returns the number of the seal. */
async function sealAll({ site }: PayingSite): Promise<number> {
  const { pool } = site;
  const executor = startExecutor({ pool, onAppended: () => site.bus.nudge() });
  const sealed = await sealDue({ pool, executor, terms: { everyEvents: 16_384, everyMs: 0 } });
  await executor.close();
  expect(sealed).not.toBeNull();
  return sealed?.seal ?? 0;
}

async function anchoredSeal({ site }: PayingSite): Promise<number> {
  return (await loadState(site.pool, treasuryDecider, TREASURY_STREAM)).state.anchoredSeal;
}
