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
/** Blocks that the machine behind a URL lags which is asked for statuses, against the one that tells the height. */
const LAGS = [0, 1, 5, 6, 40, 400];
/** From the landing until well after it is final and the last block that could take it is as well. */
const BLOCKS_LOOKED_AT = 30;

async function sign() {
  const { address } = createSigner();
  const order = { signer: site.treasury, to: address, amountMinor: 5n * BSM, memo: 'w' };
  return signTransfer(site.chain, order);
}

test('of machines of any age behind one URL, none makes what landed look dead', async () => {
  const signed = await sign();
  // It lands in one of the last blocks that take it.
  site.local.mischief.landLate(LATE_BLOCKS, 1);
  await site.chain.send(signed.bytes);
  const said = new Set<string>();
  site.local.advance(LATE_BLOCKS - 1);
  for (let passed = 0; passed < BLOCKS_LOOKED_AT; passed++) {
    site.local.advance(1);
    for (const lag of LAGS) {
      for (const node of ['first', 'second'] as const) site.local.mischief.lag(lag, node);
      const status = await site.chain.status(signed);
      said.add(status.kind === 'unknown' ? `canLand ${status.canLand}` : status.kind);
    }
  }
  expect([...said].sort()).toEqual(['canLand true', 'finalized', 'landed']);
});

test('what never landed is dead for a machine that is there, and not for one that lags', async () => {
  const signed = await sign();
  site.local.advance(2 * LAST_BLOCK);
  expect(await site.chain.status(signed)).toEqual({ kind: 'unknown', canLand: false });
  expect(await site.chain.absence(signed)).toMatchObject({ witnesses: 2 });
  site.local.mischief.lag(50, 'second');
  expect(await site.chain.absence(signed)).toMatchObject({
    witnesses: 0,
    nodes: [{ says: { canLand: false } }, { says: { canLand: true } }],
  });
});

test('a node that gave a height too low at the signing does not make it dead: its blockhash lives', async () => {
  const signed = { ...(await sign()), lastValidBlockHeight: 1 };
  site.finalize();
  expect(await site.chain.status(signed)).toEqual({ kind: 'unknown', canLand: false });
  expect(await site.chain.absence(signed)).toMatchObject({
    witnesses: 0,
    nodes: [{ says: { canLand: true } }, { says: { canLand: true } }],
  });
  site.local.advance(2 * LAST_BLOCK);
  expect(await site.chain.absence(signed)).toMatchObject({ witnesses: 2 });
});

test('two keys of one provider are one witness, and one RPC alone is one', async () => {
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
