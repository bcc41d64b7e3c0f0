// @vitest-environment happy-dom
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { beforeEach, expect, test } from 'vitest';
import { createDevelopmentWallet, forgetDevelopmentKey } from './development-wallet.ts';
import { connectAndSign, type SigningWallet, WalletError } from './wallets.ts';

const wallet = () => createDevelopmentWallet() as SigningWallet;

beforeEach(() => localStorage.clear());

test('signs with the key whose address it gives', async () => {
  const { address, signature } = await connectAndSign(wallet(), 'hello');
  const message = new TextEncoder().encode('hello');
  expect(nacl.sign.detached.verify(message, signature, bs58.decode(address))).toBe(true);
});

test('is the same player after a reload, and another after its key was forgotten', async () => {
  const { address } = await connectAndSign(wallet(), 'a');
  expect((await connectAndSign(wallet(), 'b')).address).toBe(address);
  forgetDevelopmentKey();
  expect((await connectAndSign(wallet(), 'c')).address).not.toBe(address);
});

test('a wallet that says no is told apart from one that fails', async () => {
  const failing = (feature: string, error: unknown): SigningWallet => {
    const whole = wallet();
    const method = feature === 'standard:connect' ? 'connect' : 'signMessage';
    const broken = { version: '1.0.0', [method]: () => Promise.reject(error) };
    return { ...whole, features: { ...whole.features, [feature]: broken } } as SigningWallet;
  };
  const key = async (asked: SigningWallet) => {
    const error = await connectAndSign(asked, 'x').catch((caught: unknown) => caught);
    return error instanceof WalletError ? error.key : error;
  };
  expect(await key(failing('standard:connect', { code: 4001 }))).toBe('rejected');
  expect(await key(failing('standard:connect', new Error('locked')))).toBe('connectFailed');
  expect(await key(failing('solana:signMessage', new Error('User rejected')))).toBe('rejected');
  expect(await key(failing('solana:signMessage', new Error('boom')))).toBe('signFailed');
});
