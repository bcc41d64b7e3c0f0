/** Attacks of the second review, which an earlier audit passed as CLEAN. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { foldedState } from '@reelbook/event-store/read-stream';
import { fingerprintOf } from '@reelbook/ledger/fingerprint';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { APPROVALS } from '@reelbook/ledger/proposals';
import { isRejection } from '@reelbook/ledger/rejections';
import { OPERATORS_STREAM, playerStream, TREASURY_STREAM } from '@reelbook/ledger/streams';
import type { UnmatchedDepositResolved } from '@reelbook/ledger/treasury/events';
import { type PaidLedger, startPaidLedger } from '@reelbook/simulator/stages/paid-ledger';
import { BSM, OPERATORS } from '@reelbook/simulator/stages/paying-site';
import { signInOperator } from '@reelbook/testing/operators';
import { forge, rewriteLedger, sealAgain } from '@reelbook/testing/tamper';
import { createWallet } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

let paid: PaidLedger;
beforeAll(async () => {
  paid = await startPaidLedger();
});
afterAll(() => paid.bank.close());

test('finds times in the future that shorten a wait', async () => {
  const { verdict, messages } = await paid.tampered(async (client) => {
    const { rows } = await client.query<{ position: number; time: string }>(
      `select position, body->>'time' as time from events order by position desc limit 1`,
    );
    const { position = 0, time = '' } = rows[0] ?? {};
    const later = new Date(Date.parse(time) + 86_400_000).toISOString();
    await client.query(
      `update events set body = replace(body::text, $2, $3)::json, recorded_at = $3::text::timestamptz
        where position = $1`,
      [position, time, later],
    );
    await client.query('update ledger_head set recorded_at = $1', [later]);
    await sealAgain(client);
  });
  expect(verdict).toBe('FAULTY');
  expect(messages).toEqual([
    expect.stringMatching(/^the time \S+ of the last event is in the future$/),
  ]);
});

const anchorSignatures = async () => {
  const { report } = await paid.bank.audit();
  return [...report.ledgerSide.anchors.keys()];
};
const withoutAnchors = (client: pg.PoolClient) =>
  rewriteLedger(client, ({ type }) => type !== 'SealAnchored');
test('finds old memos of a rewritten ledger that TREASURY_TRANSFERS lists', async () => {
  const accepted = await anchorSignatures();
  const { verdict, messages } = await paid.tampered(withoutAnchors, { accepted });
  expect(verdict).toBe('FAULTY');
  expect(messages.join()).toContain('the ledger was rewritten or cut off');
});

test('an RPC that does not list a transaction which it has leaves the audit unproven', async () => {
  const [omitted = ''] = await anchorSignatures();
  const server = await omitting(paid.bank.chain.local.url, omitted);
  const { port } = server.address() as AddressInfo;
  const { verdict, messages } = await paid.bank.audit({ urls: [`http://127.0.0.1:${port}`] });
  server.close();
  expect(verdict).toBe('UNPROVEN');
  expect(messages).toEqual(['the RPC does not list 1 transactions of the treasury that it has']);
});

/** An RPC that omits one signature from its lists. */
async function omitting(url: string, omitted: string): Promise<Server> {
  interface Answer {
    result?: unknown;
  }
  const left = (answer: Answer) =>
    Array.isArray(answer.result)
      ? { ...answer, result: answer.result.filter((one) => one?.signature !== omitted) }
      : answer;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const headers = { 'content-type': 'application/json' };
    const requested = await fetch(url, { method: 'POST', headers, body: Buffer.concat(parts) });
    const answer = (await requested.json()) as Answer | Answer[];
    const given = Array.isArray(answer) ? answer.map(left) : left(answer);
    response.writeHead(200, headers).end(JSON.stringify(given));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  return server;
}

/** An approved proposal, as the console records it. */
async function approvedByTwo(signature: string) {
  const { bank, bert } = paid;
  const { pool } = bank.site;
  const { tokenAccount } = await bank.chain.chain.terms();
  const to = `player:${bert.wallet.address}`;
  const { anna, bert: second } = OPERATORS;
  const reason = 'he wrote to us';
  const command = { signature, tokenAccount, amountMinor: 20n * BSM, to };
  const effect = { ...command, by: anna, reason };
  await signInOperator(pool, second.slice('operator:'.length));
  const { version } = (await foldedState(pool, operatorsDecider, OPERATORS_STREAM)).state;
  const number = version + 1;
  const data = {
    ...{ kind: 'unmatched', target: TREASURY_STREAM, command, by: anna, reason, number, schema: 1 },
    fingerprint: fingerprintOf(TREASURY_STREAM, [
      { type: 'UnmatchedDepositResolved', data: effect },
    ]),
    ...{ care: 'two', waitMs: 0, atMs: Date.now() },
  };
  await forge(pool, OPERATORS_STREAM, () => [{ type: 'Proposed', data }], anna);
  const approval = { proposal: number, by: second, reason, isLast: true };
  await forge(pool, OPERATORS_STREAM, () => [{ type: 'Approved', data: approval }], second);
  return { by: anna, proposal: { number, by: anna, approvals: [second] } };
}

/** Assigns a transfer of Ann's to Bert through the queue, with the row that the cashier would write. */
async function giveAway(
  client: pg.PoolClient,
  signature: string,
  options: {
    readonly seen: { readonly sender: string | null; readonly reason: string };
    readonly resolved: Pick<UnmatchedDepositResolved['data'], 'by' | 'proposal'>;
  },
): Promise<void> {
  const { bank, bert } = paid;
  const { pool } = bank.site;
  const { tokenAccount } = await bank.chain.chain.terms();
  const { slot = 0 } = (await bank.chain.chain.transaction(signature, 'finalized')) ?? {};
  const deposit = { signature, tokenAccount, amountMinor: 20n * BSM };
  const { sender, reason } = options.seen;
  const queued = {
    type: 'UnmatchedDepositSeen',
    data: { ...deposit, slot, ...options.seen },
  } as const;
  await forge(pool, TREASURY_STREAM, () => [queued], 'system:cashier');
  const to = `player:${bert.wallet.address}`;
  const given = { ...deposit, to, reason: 'he wrote to us' };
  const { proposal, by } = options.resolved;
  const resolved = {
    type: 'UnmatchedDepositResolved',
    data: { ...given, ...options.resolved },
  } as const;
  await forge(pool, TREASURY_STREAM, () => [resolved], proposal ? APPROVALS : by);
  const credit = (state: PlayerState) => {
    const from = { ...deposit, slot, from: 'unmatched', nowMs: 0 } as const;
    const events = playerDecider.decide(state, { type: 'CreditDeposit', ...from });
    if (isRejection(events)) throw new Error(events.rejected);
    return events;
  };
  await forge(pool, playerStream(bert.wallet.address), credit, 'system:cashier');
  await client.query(
    `insert into treasury_movements (token_account, signature, slot, delta, kind, sender, reason, recorded)
      values ($1, $2, $3, $4, 'unmatched', $5, $6, true)`,
    [tokenAccount, signature, slot, deposit.amountMinor.toString(), sender, reason],
  );
}

test("finds a player's deposit that was queued as unattributed and assigned to another player", async () => {
  const { bank, ann } = paid;
  const signature = await bank.deposit(ann, 20n * BSM);
  const sender = ann.wallet.address;
  const give = (seen: Parameters<typeof giveAway>[2]['seen']) =>
    paid.tampered(async (client) => {
      const resolved = await approvedByTwo(signature);
      await giveAway(client, signature, { seen, resolved });
    });
  const known = await give({ sender, reason: 'no-such-player' });
  expect(known.verdict).toBe('FAULTY');
  expect(known.messages).toEqual([
    expect.stringContaining(`deposit of player ${sender} is assigned`),
  ]);
  // The queue does not have the owner; the chain does.
  const denied = await give({ sender: null, reason: 'several-sources' });
  expect(denied.messages).toEqual([
    `the deposit ${signature}: it came from ${sender}; the ledger has it as unattributed: several-sources`,
  ]);
});

test('finds an unmatched deposit assigned by one operator, or by the cashier', async () => {
  const { bank } = paid;
  const stranger = createWallet();
  await bank.chain.fund(20n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 20n * BSM);
  bank.chain.finalize();
  const seen = { sender: stranger.address, reason: 'no-such-player' };
  const give = (by: string) =>
    paid.tampered((client) => giveAway(client, signature, { seen, resolved: { by } }));
  const alone = await give(OPERATORS.bert);
  expect(alone.messages).toContain('the resolution needs two operators');
  const cashier = await give('system:cashier');
  expect(cashier.messages).toEqual(['the automatic resolution is not for the sender']);
});

test('finds the revocation of all admins, after which none would have to approve the next one', async () => {
  const { pool } = paid.bank.site;
  const admins = [createWallet().address, createWallet().address];
  const { verdict, messages } = await paid.tampered(async () => {
    const shell = 'system:operator-command';
    for (const operator of admins) {
      const data = { operator, roleBefore: null, roleAfter: 'admin', reason: 'first' } as const;
      await forge(pool, OPERATORS_STREAM, () => [{ type: 'OperatorAdded', data }], shell);
    }
    for (const operator of admins) {
      const data = { operator, roleBefore: 'admin', roleAfter: null, reason: 'gone' } as const;
      await forge(pool, OPERATORS_STREAM, () => [{ type: 'OperatorRevoked', data }], shell);
    }
  });
  expect(verdict).toBe('FAULTY');
  expect(messages).toEqual([`${admins[1]} was the last admin`]);
});
