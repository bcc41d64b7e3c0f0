/** Services that start while the database answers nothing that needs the ledger, as on a busy machine. */
import { freePort } from '@reelbook/runtime/ports';
import { WAIT } from '@reelbook/testing/wait';
import { afterEach, expect, test, vi } from 'vitest';
import { type PayingStage, startPayingStage } from './stages/paying-processes.ts';

const SERVICES = ['gateway', 'cashier', 'publisher', 'projector', 'admin'] as const;

let stage: PayingStage;
afterEach(() => stage.stop());

test.each([
  // What a service reads before it works, and what the first gateway appends.
  ['lock table events, streams in access exclusive mode', SERVICES],
  ['lock table ledger_head in exclusive mode', ['gateway']],
] as const)('after %s they wait, and end no start', async (sql, waiting) => {
  stage = await startPayingStage();
  const { services, logOf } = stage;
  const holder = await stage.database.pool('owner', 1).connect();
  await holder.query('set idle_in_transaction_session_timeout = 0');
  await holder.query(`begin; ${sql}`);
  const ADMIN_PORT = String(await freePort());
  for (const name of SERVICES) stage.start(name, name, { ADMIN_PORT });
  await vi.waitFor(() => {
    for (const name of waiting) expect(logOf(name)).toContain('waiting for it');
  }, WAIT);
  await holder.query('commit');
  holder.release();
  await stage.ready();
  await vi.waitFor(() => {
    for (const name of SERVICES) expect(logOf(name)).toContain('status port open');
  }, WAIT);
  expect(services.map((one) => [one.name, one.badStarts(), one.faults])).toEqual(
    SERVICES.map((name) => [name, 0, []]),
  );
});
