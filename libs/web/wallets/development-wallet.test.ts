// @vitest-environment happy-dom
import { readSignature } from '@reelbook/contract/login';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { beforeEach, expect, test } from 'vitest';
import { connectAndSign } from './browser-wallet.ts';
import {
  DEVELOPMENT_WALLET_NAME,
  forgetDevelopmentKey,
  registerDevelopmentWallet,
} from './development-wallet.ts';
import { listWallets } from './wallets.ts';

const wallet = () => {
  registerDevelopmentWallet();
  const found = listWallets().filter(({ name }) => name === DEVELOPMENT_WALLET_NAME);
  expect(found).toHaveLength(1);
  const [own] = found;
  if (!own) throw new Error('no development wallet');
  return own;
};

beforeEach(() => localStorage.clear());

test('signs with the key of its address', async () => {
  const { address, signature } = await connectAndSign(wallet(), 'hello');
  const message = new TextEncoder().encode('hello');
  const bytes = readSignature(signature) ?? new Uint8Array(64);
  expect(nacl.sign.detached.verify(message, bytes, bs58.decode(address))).toBe(true);
});

test('is the same player after a reload, and another after its key is deleted', async () => {
  const { address } = await connectAndSign(wallet(), 'a');
  expect((await connectAndSign(wallet(), 'b')).address).toBe(address);
  forgetDevelopmentKey();
  expect((await connectAndSign(wallet(), 'c')).address).not.toBe(address);
});
