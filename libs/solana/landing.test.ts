import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startTestChain, type TestChain } from '@reelbook/testing/chain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createSigner } from './keys.ts';
import { providerOf } from './nodes.ts';
import { signTransfer } from './send-transfer.ts';

let site: TestChain;
beforeEach(async () => {
  site = await startTestChain();
});
afterEach(() => site.close());

const BSM = 10n ** 9n;
const LAST_BLOCK = 150;
const LATE_BLOCKS = LAST_BLOCK - 5;
/** Blocks by which the machine that returns statuses lags behind the one that returns the height. */
const LAGS = [0, 1, 5, 6, 40, 400];
/** From the landing until after the finalization of the transaction and of its last valid block. */
const BLOCKS_LOOKED_AT = 30;

async function sign() {
  const { address } = createSigner();
  const order = { signer: site.treasury, to: address, amountMinor: 5n * BSM, memo: 'w' };
  return signTransfer(site.chain, order);
}

test('no lagging machine of a URL makes a landed transaction look expired', async () => {
  const signed = await sign();
  // It lands in one of the last valid blocks.
  site.local.faults.landLate(LATE_BLOCKS, 1);
  await site.chain.send(signed.bytes);
  const seen = new Set<string>();
  site.local.advance(LATE_BLOCKS - 1);
  for (let passed = 0; passed < BLOCKS_LOOKED_AT; passed++) {
    site.local.advance(1);
    for (const lag of LAGS) {
      for (const node of ['first', 'second'] as const) site.local.faults.lag(lag, node);
      const status = await site.chain.status(signed);
      seen.add(status.kind === 'unknown' ? `canLand ${status.canLand}` : status.kind);
    }
  }
  expect([...seen].sort()).toEqual(['canLand true', 'finalized', 'landed']);
});

test('a transaction that never landed is expired for an up-to-date machine, not for a lagging one', async () => {
  const signed = await sign();
  site.local.advance(2 * LAST_BLOCK);
  expect(await site.chain.status(signed)).toEqual({ kind: 'unknown', canLand: false });
  expect(await site.chain.absence(signed)).toMatchObject({ witnesses: 2 });
  site.local.faults.lag(50, 'second');
  expect(await site.chain.absence(signed)).toMatchObject({
    witnesses: 0,
    nodes: [{ report: { canLand: false } }, { report: { canLand: true } }],
  });
});

test('a block height that was too low at signing does not expire a valid blockhash', async () => {
  const signed = { ...(await sign()), lastValidBlockHeight: 1 };
  site.finalize();
  expect(await site.chain.status(signed)).toEqual({ kind: 'unknown', canLand: false });
  expect(await site.chain.absence(signed)).toMatchObject({
    witnesses: 0,
    nodes: [{ report: { canLand: true } }, { report: { canLand: true } }],
  });
  site.local.advance(2 * LAST_BLOCK);
  expect(await site.chain.absence(signed)).toMatchObject({ witnesses: 2 });
});

test('two keys of one provider are one witness; one RPC is one witness', async () => {
  const signed = await sign();
  site.local.advance(2 * LAST_BLOCK);
  const { url } = site.local;
  const keys = site.open([`${url}/?key=1`, `${url}/second?key=2`]);
  expect(await keys.absence(signed)).toMatchObject({ witnesses: 1, nodes: [{}, {}] });
  expect(await site.open([url]).absence(signed)).toMatchObject({ witnesses: 1 });
  const names = [
    'a.chain.example.net',
    'b-2.example.net.',
    '10.0.0.1',
    '10.0.0.2',
    'chain',
    '[::1]',
  ];
  const expected = ['example.net', 'example.net', '10.0.0.1', '10.0.0.2', 'chain', '[::1]'];
  expect(names.map(providerOf)).toEqual(expected);
});

test('an answer that does not end is no answer', async () => {
  const chunk = Buffer.alloc(1 << 20, 32);
  const server = createServer((_, response) => {
    const more = () => {
      while (response.write(chunk));
    };
    response.on('drain', more);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(site.open([`http://127.0.0.1:${port}`]).genesisHash()).rejects.toThrow(
    'an answer of more than',
  );
  server.closeAllConnections();
  server.close();
});
