import { describe, expect, test } from 'vitest';
import type { ChainTransaction, TokenBalance } from './transaction.ts';
import { type Treasury, verifyTransfer } from './verify-transfer.ts';

const PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const treasury: Treasury = {
  wallet: 'us',
  tokenAccount: 'us-token',
  mint: 'BSM',
  program: PROGRAM,
};

const at = (
  account: string,
  owner: string,
  amountMinor: bigint,
  more: Partial<TokenBalance> = {},
) => ({
  account,
  owner,
  amountMinor,
  mint: 'BSM',
  program: PROGRAM,
  ...more,
});

function transaction(
  before: readonly TokenBalance[],
  after: readonly TokenBalance[],
  more: Partial<ChainTransaction> = {},
): ChainTransaction {
  return {
    signature: 'sig',
    message: 'hash',
    slot: 7,
    timeS: 1,
    error: null,
    signers: ['alice'],
    before,
    after,
    memos: [],
    ...more,
  };
}

const paid = transaction(
  [at('alice-token', 'alice', 100n), at('us-token', 'us', 5n)],
  [at('alice-token', 'alice', 60n), at('us-token', 'us', 45n)],
);

test('an arrival from one owner who signed is a credit', () => {
  expect(verifyTransfer(paid, treasury, { sender: 'alice' })).toEqual({
    kind: 'credit',
    signature: 'sig',
    slot: 7,
    tokenAccount: 'us-token',
    sender: 'alice',
    amountMinor: 40n,
    memos: [],
  });
});

test('an account opened in the transaction had 0 before', () => {
  const first = transaction([at('alice-token', 'alice', 100n)], [...paid.after]);
  expect(verifyTransfer(first, treasury)).toMatchObject({
    kind: 'unmatched',
    reason: 'no-source',
    amountMinor: 45n,
  });
  const covered = transaction(
    [at('alice-token', 'alice', 105n)],
    [at('alice-token', 'alice', 60n), at('us-token', 'us', 45n)],
  );
  expect(verifyTransfer(covered, treasury)).toMatchObject({ kind: 'credit', amountMinor: 45n });
});

test('an account closed in the transaction has 0 after, and its owner paid', () => {
  const closed = transaction(
    [at('alice-token', 'alice', 40n), at('us-token', 'us', 5n)],
    [at('us-token', 'us', 45n)],
  );
  expect(verifyTransfer(closed, treasury)).toMatchObject({ kind: 'credit', sender: 'alice' });
});

test('a transfer fee of the mint is not credited', () => {
  const fee = transaction(paid.before, [
    at('alice-token', 'alice', 60n),
    at('us-token', 'us', 44n),
  ]);
  expect(verifyTransfer(fee, treasury)).toMatchObject({ kind: 'credit', amountMinor: 39n });
});

describe('unmatched deposits', () => {
  test('from another wallet', () => {
    expect(verifyTransfer(paid, treasury, { sender: 'bob' })).toMatchObject({
      reason: 'wrong-sender',
      senders: ['alice'],
      amountMinor: 40n,
    });
  });
  test('from several', () => {
    const two = transaction(
      [at('a', 'alice', 10n), at('b', 'bob', 10n), at('us-token', 'us', 0n)],
      [at('a', 'alice', 5n), at('b', 'bob', 5n), at('us-token', 'us', 10n)],
      { signers: ['alice', 'bob'] },
    );
    expect(verifyTransfer(two, treasury, { sender: 'alice' })).toMatchObject({
      reason: 'several-sources',
      senders: ['alice', 'bob'],
    });
  });
  test('by a delegate', () => {
    expect(verifyTransfer({ ...paid, signers: ['mallory'] }, treasury)).toMatchObject({
      reason: 'owner-did-not-sign',
    });
  });
  test('from an account that changes its owner in the transaction: the previous owner paid', () => {
    const given = transaction(paid.before, [
      at('alice-token', 'bob', 60n),
      at('us-token', 'us', 45n),
    ]);
    expect(verifyTransfer(given, treasury, { sender: 'bob' })).toMatchObject({
      reason: 'wrong-sender',
    });
  });
  test('without the expected memo', () => {
    expect(verifyTransfer(paid, treasury, { memo: 'intent-1' })).toMatchObject({
      reason: 'wrong-memo',
    });
    const named = { ...paid, memos: ['intent-1'] };
    expect(verifyTransfer(named, treasury, { memo: 'intent-1' }).kind).toBe('credit');
  });
});

describe('nothing to credit', () => {
  test.each([
    ['failed', { ...paid, error: '{"InstructionError":[0,{"Custom":1}]}' }],
    ['outgoing', transaction(paid.after, paid.before)],
    ['outgoing', transaction(paid.after, paid.after)],
    ['no-transfer', transaction([], [])],
    ['wrong-wallet', transaction([], [at('bob-token', 'bob', 40n)])],
    ['wrong-wallet', transaction([], [at('us-second', 'us', 40n)])],
    ['wrong-mint', transaction([], [at('us-fake', 'us', 40n, { mint: 'FAKE' })])],
    ['wrong-mint', transaction([], [at('us-token', 'us', 40n, { mint: 'FAKE' })])],
    ['wrong-program', transaction([], [at('us-token', 'us', 40n, { program: 'other' })])],
    ['treasury-account-changed', transaction(paid.before, [at('us-token', 'mallory', 45n)])],
  ] as const)('%s', (reason, seen) => {
    expect(verifyTransfer(seen, treasury, { sender: 'alice' })).toMatchObject({
      kind: 'nothing',
      reason,
    });
  });
});
