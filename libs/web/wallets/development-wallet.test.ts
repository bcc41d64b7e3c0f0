// @vitest-environment happy-dom
import { readSignature, readSignIn, signInInput } from '@reelbook/contract/login';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { beforeEach, expect, test } from 'vitest';
import { connectAndSign, signInWith } from './browser-wallet.ts';
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

test('signs in to its own page only', async () => {
  const { signIn } = wallet();
  if (!signIn) throw new Error('no solana:signIn');
  const now = { nonce: 'a1b2c3d4', timeMs: Date.now() };
  const own = signInInput({ origin: location.origin, ...now });
  const { address, signature, message } = await signInWith(signIn, own);
  const bytes = readSignature(signature) ?? new Uint8Array(64);
  const signed = new TextEncoder().encode(message);
  expect(nacl.sign.detached.verify(signed, bytes, bs58.decode(address))).toBe(true);
  const read = { text: message, origin: location.origin, nowMs: now.timeMs };
  expect(readSignIn(read, address)).toBe(now.timeMs);
  const other = signInInput({ origin: 'https://play.example.com', ...now });
  await expect(signInWith(signIn, other)).rejects.toThrow('signFailed');
});
