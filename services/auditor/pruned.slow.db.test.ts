/** An RPC that has lost the beginning of the chain, like nodes that keep two days. The ledger is right in all of these. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type PaidLedger, startPaidLedger } from '@reelbook/simulator/stages/paid-ledger';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { sealAgain, tamperWith } from '@reelbook/testing/tamper';
import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'reelbook-pruned-'));

let paid: PaidLedger;
beforeAll(async () => {
  paid = await startPaidLedger();
});
afterEach(() => paid.bank.chain.local.faults.clear());
afterAll(async () => {
  await paid.bank.close();
  rmSync(folder, { recursive: true, force: true });
});

function forgetBefore(slot: number): void {
  for (const node of ['first', 'second'] as const) paid.bank.chain.local.faults.forget(slot, node);
}
const finalSlot = () => paid.bank.chain.chain.read('getSlot', (node) => node.getSlot('finalized'));

/** The slots of the ledger's transactions and observations, oldest first. */
async function slotsOfLedger(): Promise<readonly number[]> {
  const { ledgerSide } = (await paid.bank.audit()).report;
  const { deposits, attempts, observations } = ledgerSide;
  const anchors = [...ledgerSide.anchors.values()].map(({ data }) => data);
  const named = [...deposits.values(), ...attempts.values(), ...anchors, ...observations];
  const slots = named.flatMap(({ slot }) => slot ?? []);
  return [...new Set(slots)].sort((a, b) => a - b);
}

test("a right ledger is unproven and never faulty, from any start of the RPC's history", async () => {
  expect(await paid.bank.audit()).toMatchObject({ verdict: 'CLEAN', messages: [] });
  const slots = await slotsOfLedger();
  const [first = 0] = slots;
  expect(slots.length).toBeGreaterThan(6);
  for (const from of [...slots, ...slots.map((slot) => slot + 1), await finalSlot()]) {
    if (from === first) continue;
    forgetBefore(from);
    const { verdict, report, messages } = await paid.bank.audit();
    expect([from, verdict, report.findings.kept]).toEqual([from, 'UNPROVEN', []]);
    expect(messages).toContain(
      `the RPC has the chain from slot ${from}; the ledger started at slot ${first}`,
    );
  }
});

test("a treasury without a movement in the RPC's history had its current balance, not zero", async () => {
  const { report } = await paid.bank.audit();
  const seen = report.ledgerSide.observations.at(-1);
  expect(seen?.tokenMinor).toBeGreaterThan(0n);
  forgetBefore(seen?.slot ?? 0);
  const right = await paid.bank.audit();
  expect([right.verdict, right.report.findings.kept]).toEqual(['UNPROVEN', []]);
  // Observations within that history are compared all the same.
  const lie = await withObservation((seen?.tokenMinor ?? 0n) + BSM);
  expect(lie.messages.join()).toMatch(
    /the treasury had \S+ BSM at slot \d+; the observation is \S+ BSM/,
  );
});

test('observations of the first builds, which have no slot, are not contradicted by a pruned RPC', async () => {
  const { report } = await paid.bank.audit();
  const held = report.ledgerSide.observations.at(-1)?.tokenMinor ?? 0n;
  forgetBefore(await finalSlot());
  const never = 'the treasury never had';
  expect((await withObservation(held, false)).messages.join()).not.toContain(never);
  const unknown = await withObservation(held + BSM, false);
  expect(unknown.messages.join()).not.toContain(never);
  expect(unknown.messages.join()).toMatch(
    /the RPC no longer shows whether the treasury had the observed \S+ BSM/,
  );
  paid.bank.chain.local.faults.clear();
  expect((await withObservation(held, false)).messages.join()).not.toContain(never);
  expect((await withObservation(held + BSM, false)).messages.join()).toContain(never);
});

/** The audit of a ledger with another newest observation, or whose observations have no slots. */
function withObservation(tokenMinor: bigint, hasSlots = true) {
  return tamperWith(
    paid.bank.site.database.pool('owner'),
    async (client) => {
      await client.query(
        `update events set body = regexp_replace(body::text, '"tokenMinor":"\\d+"', $1)::json
          where position = (select max(position) from events where type = 'TreasuryObserved')`,
        [`"tokenMinor":"${tokenMinor}"`],
      );
      if (!hasSlots) {
        await client.query(
          `update events set body = regexp_replace(body::text, ',"slot":\\d+|"slot":\\d+,', '')::json
            where type = 'TreasuryObserved'`,
        );
      }
      await sealAgain(client);
    },
    () => paid.bank.audit(),
  );
}

// Last: the transfer stays on the chain.
test("a gap between the last audit and the RPC's history is reported", async () => {
  expect(await paid.bank.audit({ folder })).toMatchObject({ verdict: 'CLEAN', messages: [] });
  const { local, token, treasury } = paid.bank.chain;
  const cold = await paid.bank.chain.fund(0n);
  const owner = new PublicKey(treasury.address);
  const accountOf = (wallet: string) =>
    getAssociatedTokenAddressSync(new PublicKey(token.mint.address), new PublicKey(wallet));
  const accounts = [accountOf(treasury.address), accountOf(cold.address)] as const;
  await local.run([createTransferInstruction(...accounts, owner, 7n * BSM)], [treasury]);
  paid.bank.chain.finalize();
  forgetBefore(await finalSlot());
  const { verdict, messages } = await paid.bank.audit({ folder });
  expect(verdict).toBe('UNPROVEN');
  expect(messages).toEqual(["the RPC's history does not reach back to the last audit"]);
});
