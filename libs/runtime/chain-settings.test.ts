import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import nacl from 'tweetnacl';
import { expect, test } from 'vitest';
import { chainOf } from './chain-settings.ts';
import { readSettings, type SettingsError } from './settings.ts';

const pair = nacl.sign.keyPair();
const WALLET = bs58.encode(pair.publicKey);
const KEY = bs58.encode(pair.secretKey);
const MINT = bs58.encode(nacl.sign.keyPair().publicKey);
const complete = { SOLANA_RPC_URL: 'https://one.test/hunter2,https://two.test', TOKEN_MINT: MINT };

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readSettings([], environment);
    return [];
  } catch (error) {
    return (error as SettingsError).faults;
  }
}

test('an external chain has RPCs, a mint and a treasury', () => {
  const settings = readSettings([], { ...complete, TREASURY_KEY: KEY });
  expect(chainOf(settings)).toEqual({
    urls: ['https://one.test/hunter2', 'https://two.test'],
    mint: MINT,
    wallet: WALLET,
    allow: [],
    publicRpcUrl: null,
    network: 'mainnet-beta',
  });
  expect(settings.treasuryKey?.equals(Buffer.from(pair.secretKey))).toBe(true);
  expect(chainOf(readSettings([], {}))).toBeNull();
});

test('the gateway needs only the address; the key may be a file of solana-keygen', () => {
  const given = readSettings([], { ...complete, TREASURY_WALLET: WALLET });
  expect([chainOf(given)?.wallet, given.treasuryKey]).toEqual([WALLET, null]);
  const folder = mkdtempSync(join(tmpdir(), 'reelbook-key-'));
  const file = join(folder, 'id.json');
  writeFileSync(file, JSON.stringify([...pair.secretKey]));
  expect(chainOf(readSettings([], { ...complete, TREASURY_KEY_FILE: file }))?.wallet).toBe(WALLET);
  writeFileSync(file, '[1,2,999]');
  expect(faultsOf({ ...complete, TREASURY_KEY_FILE: file })[0]).toMatch(
    /^TREASURY_KEY_FILE must be/,
  );
  rmSync(folder, { recursive: true });
  expect(faultsOf({ ...complete, TREASURY_KEY_FILE: file })[0]).toMatch(/can be read/);
});

test.each([
  [{ SOLANA_RPC_URL: 'https://one.test' }, ['TOKEN_MINT', 'TREASURY_WALLET']],
  [{ TOKEN_MINT: MINT, TREASURY_KEY: KEY }, ['TOKEN_MINT', 'TREASURY_KEY']],
  [{ ...complete, TREASURY_KEY: KEY, TREASURY_WALLET: MINT }, ['TREASURY_WALLET']],
  [
    { ...complete, TREASURY_WALLET: WALLET, PUBLIC_RPC_URL: 'https://one.test/hunter2' },
    ['PUBLIC_RPC_URL'],
  ],
  [{ ...complete, TREASURY_WALLET: WALLET, PUBLIC_RPC_URL: 'https://two.test' }, []],
  [{ SOLANA_RPC_URL: 'ws://one.test/hunter2', TOKEN_MINT: 'x' }, ['SOLANA_RPC_URL', 'TOKEN_MINT']],
  [{ SOLANA_RPC_URL: 'https://a.test,https://a.test' }, ['SOLANA_RPC_URL']],
  [{ TREASURY_KEY: 'hunter2' }, ['TREASURY_KEY']],
  [
    { TREASURY_KEY: 'hunter2', TREASURY_WALLET: WALLET, TOKEN_MINT: MINT },
    ['TREASURY_KEY', 'TOKEN_MINT', 'TREASURY_WALLET'],
  ],
  [
    { ...complete, TOKEN_MINT: 'x', TREASURY_KEY: KEY, TREASURY_WALLET: MINT },
    ['TOKEN_MINT', 'TREASURY_WALLET'],
  ],
  [{ ...complete, TOKEN_ALLOW: 'anything', TREASURY_WALLET: WALLET }, ['TOKEN_ALLOW']],
])('every fault of %j is reported without a secret', (environment, names) => {
  const faults = faultsOf(environment);
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(names);
  expect(faults.join()).not.toContain('hunter2');
});
