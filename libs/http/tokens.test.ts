import { createWallet } from '@reelbook/testing/wallets';
import { expect, test } from 'vitest';
import { openTokens } from './tokens.ts';

const key = Buffer.alloc(32, 7);
const open = (options: { key?: Buffer; purpose?: string } = {}) =>
  openTokens({
    key,
    purpose: 'token',
    naming: 'session',
    ...options,
    signIns: ['sentence', 'siws'] as const,
  });
const tokens = open();
const claims = {
  ...({ wallet: createWallet(1).address, signIn: 'siws', login: 2 ** 40, generation: 3 } as const),
  startedAtMs: 1_795_000_000_000,
  endsAtMs: 1_795_086_400_000,
};

test('a token has its claims and the name that the ledger records, also after a refresh', () => {
  const { secret, name } = tokens.draw();
  const token = tokens.issue(secret, claims);
  expect(tokens.read(token)).toEqual({ ...claims, name });
  const later = { ...claims, generation: 4, endsAtMs: claims.endsAtMs + 1 };
  expect(tokens.read(tokens.renew(token, later))).toEqual({ ...later, name });
  expect(tokens.draw().name).not.toBe(name);
});

test('no bit of a token can be changed', () => {
  const bytes = Buffer.from(tokens.issue(tokens.draw().secret, claims), 'base64url');
  for (let bit = 0; bit < 8 * bytes.length; bit++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
    expect(tokens.read(changed.toString('base64url')), `bit ${bit}`).toBeNull();
  }
});

test('a token of another key, another purpose or another length is none', () => {
  const token = tokens.issue(tokens.draw().secret, claims);
  for (const other of [open({ key: Buffer.alloc(32, 8) }), open({ purpose: 'operator token' })]) {
    expect(other.read(token)).toBeNull();
  }
  for (const text of ['', token.slice(4), `${token}AAAA`, token.slice(0, 48)]) {
    expect(tokens.read(text)).toBeNull();
  }
});

test('a wallet of another length is refused', () => {
  expect(() => tokens.issue(tokens.draw().secret, { ...claims, wallet: '11' })).toThrow('32 bytes');
});
