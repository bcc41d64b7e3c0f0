import { auditLedger } from '@reelbook/audit/audit';
import { describeReport } from '@reelbook/audit/report';
import { findLost, type Lost } from '@reelbook/cashier/marks';
import { readHead } from '@reelbook/event-store/read-log';
import { loadState } from '@reelbook/event-store/read-stream';
import { createRootFold } from '@reelbook/games/fairness/merkle';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { RESTORED_COMMAND } from '@reelbook/ledger/operators/restores';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { isRejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM, playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import { anchorMemo } from '@reelbook/ledger/treasury/anchor';
import { treasuryDecider } from '@reelbook/ledger/treasury/decide';
import { type PaidLedger, startPaidLedger } from '@reelbook/simulator/stages/paid-ledger';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { signMemo } from '@reelbook/solana/send-transfer';
import { ALL_TABLES, forge, rewriteLedger, sealAgain, tamperWith } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import { createTransferInstruction, getAssociatedTokenAddressSync } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

const TWO_HOURS_MS = 7_200_000;
const REWRITTEN = 'the ledger was rewritten or cut off';

let paid: PaidLedger;
beforeAll(async () => {
  paid = await startPaidLedger();
});
afterAll(() => paid.bank.close());

/** Appends what dishonest server code would. */
const forged = (stream: string, make: (state: never) => readonly LedgerEvent[], actor?: string) =>
  paid.tampered(() => forge(paid.bank.site.pool, stream, make, actor));

/** Removes the player who drained the treasury, with movements and sessions, and every anchor. */
async function withoutBert(client: pg.PoolClient): Promise<void> {
  const { address } = paid.bert.wallet;
  const stream = playerStream(address);
  await client.query(
    `delete from treasury_movements where signature in
      (select body->'data'->>'signature' from events where stream = stream_key($1))`,
    [stream],
  );
  const keep = (event: { readonly stream: string; readonly type: string }) =>
    event.stream !== stream && event.type !== 'SealAnchored';
  await rewriteLedger(client, keep);
}

test('compares an honest ledger with its chain in both directions, and finds nothing', async () => {
  const { messages, verdict, compared } = await paid.bank.audit();
  expect(messages).toEqual([]);
  expect(verdict).toBe('CLEAN');
  // Two deposits, two payments and two anchors; and before them the funding of the treasury.
  expect(compared).toMatchObject({ found: 6, older: 0, underWay: 0 });
  expect(compared.transactions).toBeGreaterThan(6);
});

const treasuryState = async () =>
  (await loadState(paid.bank.site.pool, treasuryDecider, TREASURY_STREAM)).state;

test('finds a tail cut off with its seal and anchor by the memo on the chain', async () => {
  const { messages, verdict } = await paid.tampered(async (client) => {
    const { rows } = await client.query<{ position: number }>(
      `select position from events where type = 'SealAnchored' order by position limit 1`,
    );
    const last = rows[0]?.position ?? 0;
    await rewriteLedger(client, ({ position }) => position <= last);
  });
  expect(verdict).toBe('FAULTY');
  expect(messages.filter((one) => one.includes(REWRITTEN))).toHaveLength(1);
  expect(messages.join('; ')).toContain('no event of the ledger has it');
});

test('a restore excuses the payments and anchors that it names, as the chain has them', async () => {
  const { pool } = paid.bank.site;
  const { chain } = paid.bank.chain;
  let head = { position: 0, hash: '' };
  const restored = (change: (lost: Lost) => Partial<Lost>) =>
    paid.tampered(async (client) => {
      const { rows } = await client.query<{ position: number }>(
        `select position from events where type = 'UnmatchedDepositSeen' or type = 'DepositCredited'
          order by position desc limit 1`,
      );
      const last = rows[0]?.position ?? 0;
      await rewriteLedger(client, ({ position }) => position <= last);
      head = await readHead(pool);
      const { urls } = chain.options;
      const { unseen: _, ...lost } = await findLost(
        { pool, chain, bus: null },
        { bus: null, urls },
      );
      const { payments, anchors } = { ...lost, ...change({ ...lost, unseen: _ }) };
      const { position, hash } = head;
      const loss = { position, hash, lostTo: position, payments, anchors };
      const data = { ...loss, epoch: 1, reason: 'a test' };
      await forge(
        pool,
        OPERATORS_STREAM,
        () => [{ type: 'LedgerRestored', data }],
        RESTORED_COMMAND,
      );
    });
  const named = await restored(() => ({}));
  expect(named.messages).toEqual([]);
  const { restores } = named.report.ledgerSide;
  expect(restores[0]?.data.payments.length).toBeGreaterThan(0);
  expect(describeReport(named.report, null, 1, named.compared)).toContain('LOST      epoch 1 at #');

  const none = await restored(() => ({ payments: [] }));
  expect(none.messages.join()).toContain('no event of the ledger has it');
  const less = await restored(({ payments }) => ({
    payments: payments.map((one) => ({ ...one, netMinor: one.netMinor - 1n })),
  }));
  expect(less.messages.join()).toContain('it is another payment');
  const other = await restored(({ payments }) => ({
    payments: payments.map((one) => ({ ...one, to: 'another' })),
  }));
  expect(other.messages.join()).toContain('it is another payment');
});

test('a restore excuses no anchor of a seal that the ledger kept', async () => {
  const { pool } = paid.bank.site;
  const { messages } = await paid.tampered(async (client) => {
    const { rows } = await client.query<{ signature: string; seal: number; root: string }>(
      `select body->'data'->>'signature' as signature, (body->'data'->>'seal')::int as seal,
          body->'data'->>'root' as root from events where type = 'SealAnchored'`,
    );
    const { position, hash } = await readHead(pool);
    // The roots change with the first event.
    await rewriteLedger(client, ({ type, position }) => type !== 'SealAnchored' && position !== 3);
    const kept = await readHead(pool);
    expect(kept.position).toBeLessThan(position);
    const loss = { ...kept, lostTo: kept.position, payments: [], anchors: rows };
    const { time: _, ...data } = { ...loss, epoch: 1, reason: 'a test' };
    expect(data.hash).not.toBe(hash);
    await forge(pool, OPERATORS_STREAM, () => [{ type: 'LedgerRestored', data }], RESTORED_COMMAND);
  });
  expect(messages.join()).toContain('it is no anchor of a lost seal');
});

test('finds a deposit of 500,000 BSM that is not on the chain', async () => {
  const { bank, ann } = paid;
  const { tokenAccount } = await bank.chain.chain.terms();
  const { slot = 0 } = await treasuryState();
  const credit = (signature: string) => (state: PlayerState) => {
    const amountMinor = 500_000n * BSM;
    const credit = { signature, tokenAccount, slot, amountMinor, from: 'chain', nowMs: 0 } as const;
    const command = { type: 'CreditDeposit', ...credit } as const;
    const events = playerDecider.decide(state, command);
    if (isRejection(events)) throw new Error(events.rejected);
    return events;
  };
  const stream = playerStream(ann.wallet.address);
  const never = await forged(stream, credit('5'.repeat(87)), 'system:cashier');
  expect(never.messages.join()).toContain('is not on the chain');
  const odd = await forged(stream, credit('no-signature'), 'system:cashier');
  expect(odd.messages.join()).toContain('the deposit has no valid signature of a transaction');
});

test('finds a deposit with another amount or slot than the chain has', async () => {
  const { bert } = paid;
  const change = (from: string, to: string) =>
    paid.tampered(async (client) => {
      await client.query(
        `update events set body = replace(body::text, $1, $2)::json
          where type = 'DepositCredited' and body->>'stream' = $3`,
        [from, to, playerStream(bert.wallet.address)],
      );
      await sealAgain(client);
    });
  const more = await change('"amountMinor":"50000000000"', '"amountMinor":"90000000000"');
  expect(more.verdict).toBe('FAULTY');
  expect(more.messages.join()).toMatch(/it brought 50 BSM; the ledger has 90 BSM/);
  const slot = await change('"slot":', '"slot":1');
  expect(slot.messages.join()).toMatch(/the deposit \w+: it is in slot \d+, not 1\d+/);
});

test('finds an observation of 10,000,000 BSM that the treasury never had', async () => {
  const { tokenMinor, netDepositsMinor, slot = 0 } = await treasuryState();
  const lie = (at: number | undefined) => () => {
    const previous = {
      previousTokenMinor: tokenMinor ?? 0n,
      previousNetDepositsMinor: netDepositsMinor,
    };
    const seen = { tokenMinor: 10_000_000n * BSM, netDepositsMinor, source: 'chain' };
    const data = { ...previous, ...seen, ...(at === undefined ? {} : { slot: at }) };
    return [{ type: 'TreasuryObserved', data }] as const;
  };
  const seen = await forged(TREASURY_STREAM, lie(slot), 'system:cashier');
  expect(seen.messages.join()).toContain('the observation is 10000000 BSM');
  const ahead = await forged(TREASURY_STREAM, lie(slot + 1_000_000), 'system:cashier');
  expect(ahead.messages.join()).toContain('is ahead of the chain');
  const nowhere = await forged(TREASURY_STREAM, lie(undefined), 'system:cashier');
  expect(nowhere.verdict).toBe('FAULTY');
  expect(nowhere.messages).toContain('the newest observation of the treasury has no slot');
});

test('finds a withdrawal whose address was changed', async () => {
  const { ann, bert } = paid;
  const swap = await paid.tampered(async (client) => {
    await client.query(
      `update events set body = replace(body::text, $1, $2)::json where type = 'WithdrawalRequested'`,
      [`"to":"${ann.wallet.address}"`, `"to":"${bert.wallet.address}"`],
    );
    await sealAgain(client);
  });
  const account = `the token account of ${bert.wallet.address}`;
  expect(swap.messages.join()).toMatch(new RegExp(`it paid \\w+, not \\w+, ${account}`));
  expect(swap.messages.join()).toMatch(new RegExp(`the signed bytes of .*${account}`));
});

test('finds a ledger with another treasury than the configured wallets, or none', async () => {
  const { treasury } = paid.bank.chain;
  const stranger = createWallet().address;
  const other = await paid.bank.audit({ wallets: [{ wallet: stranger, fromSlot: null }] });
  expect(other.verdict).toBe('FAULTY');
  expect(other.messages.join()).toContain(
    `has the treasury ${treasury.address}, which TREASURY_WALLETS does not list`,
  );
  const none = await paid.tampered(async (client) => {
    const wallet = `"projectWallet":"${treasury.address}"`;
    await client.query(
      `update events set body = replace(body::text, $1, '"projectWallet":null')::json
        where type = 'ConfigChanged'`,
      [wallet],
    );
    await sealAgain(client);
  });
  expect(none.messages).toContain('TREASURY_WALLETS is set, but the ledger has no treasury');
});

test('finds BSM that the treasury sent without a withdrawal, unless TREASURY_TRANSFERS lists the transfer', async () => {
  const { bank } = paid;
  const { local, token, treasury } = bank.chain;
  const cold = await bank.chain.fund(0n);
  const mint = new PublicKey(token.mint.address);
  const [owner, to] = [treasury.address, cold.address].map((one) => new PublicKey(one)) as [
    PublicKey,
    PublicKey,
  ];
  const accounts = [owner, to].map((one) => getAssociatedTokenAddressSync(mint, one)) as [
    PublicKey,
    PublicKey,
  ];
  const move = createTransferInstruction(...accounts, owner, 7n * BSM);
  const signature = await local.run([move], [treasury]);
  bank.chain.finalize();
  const { messages, verdict } = await bank.audit();
  expect(verdict).toBe('FAULTY');
  expect(messages).toEqual([
    `the treasury signed ${signature} on the chain, which moved -7 BSM, and no event of the ledger has it`,
  ]);
  const unseen = '5'.repeat(87);
  const answered = await bank.audit({ accepted: [signature, unseen] });
  expect(answered).toMatchObject({ verdict: 'CLEAN', messages: [] });
  // The report has the accepted amount.
  expect(answered.compared.accepted).toEqual({ count: 1, outMinor: 7n * BSM, inMinor: 0n });
  expect(describeReport(answered.report, null, 1, answered.compared)).toContain(
    '\naccepted  1 of TREASURY_TRANSFERS on trust, in no event: 7 BSM left, 0 BSM arrived\n',
  );
  sweep = signature;
});
let sweep = '';

test('finds money of a rewritten ledger in flight for too long, also without a chain', async () => {
  const { site } = paid.bank;
  const look = (laterMs: number) =>
    auditLedger({
      pool: site.pool,
      vault: null,
      nowMs: Date.now() + laterMs,
      onProgress: () => {},
    });
  const looks = async () => [await look(0), await look(TWO_HOURS_MS)];
  const reports = await tamperWith(site.database.pool('owner'), withoutBert, looks, ALL_TABLES);
  const messages = reports.map(({ findings }) => findings.kept.map(({ message }) => message));
  // He brought 50 and took 38: the ledger lacks 12.
  expect(messages).toEqual([
    [],
    ['for more than an hour 12 BSM more has come over the chain than is recorded'],
  ]);
});

// Last: its memo stays on the chain.
test('finds a ledger rewritten without the drained player, sealed and anchored again, by its old memos and payments', async () => {
  const { messages, verdict, report } = await paid.tampered(
    async (client) => {
      await withoutBert(client);
      await anchorAnew(client);
    },
    { accepted: [sweep] },
  );
  expect(verdict).toBe('FAULTY');
  // The ledger is consistent, its new anchor too: only the chain shows what it was.
  expect(new Set(report.findings.kept.map(({ check }) => check))).toEqual(new Set(['treasury']));
  expect(report.anchors.count).toBe(1);
  const old = messages.filter((one) => one.includes(REWRITTEN));
  expect(old).toHaveLength(2);
  expect(messages.filter((one) => one.includes('no event of the ledger has it'))).toHaveLength(1);
  expect(messages.length).toBe(3);
});

/** Like the cashier after its start: a memo of all seals, signed by the treasury, and its event. */
async function anchorAnew(client: pg.PoolClient): Promise<void> {
  const { chain } = paid.bank;
  const { rows } = await client.query<{ root: string }>(
    `select body->'data'->>'root' as root from events where type = 'LedgerSealed' order by position`,
  );
  const tree = createRootFold();
  for (const { root } of rows) tree.push(Buffer.from(root, 'hex'));
  const sealsRoot = Buffer.from(tree.root()).toString('hex');
  const anchor = { fromSeal: 1, seal: rows.length, root: rows.at(-1)?.root ?? '', sealsRoot };
  const memo = await signMemo(chain.chain, { signer: chain.treasury, memo: anchorMemo(anchor) });
  await chain.chain.send(memo.bytes);
  chain.finalize();
  const status = await chain.chain.status(memo);
  if (status.kind !== 'finalized') throw new Error(`the memo is ${status.kind}`);
  const { address: wallet } = chain.treasury;
  const data = { ...anchor, wallet, signature: memo.signature, slot: status.slot };
  const anchored = { type: 'SealAnchored', data } as const;
  await forge(paid.bank.site.pool, TREASURY_STREAM, () => [anchored], 'system:cashier');
}
