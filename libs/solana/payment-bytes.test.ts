import {
  decodeTransaction,
  PRIORITY_MAX_MICRO,
  paymentFault,
  tokenAccountOf,
  UNITS_MAX,
} from '@reelbook/ledger/player/payment-bytes';
import { paymentBytes, TEST_TOKEN } from '@reelbook/testing/payment-bytes';
import { createWallet } from '@reelbook/testing/wallets';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  createBurnCheckedInstruction,
  createTransferCheckedInstruction,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  ComputeBudgetProgram,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { keypair } from './keys.ts';
import { MEMO_PROGRAM } from './transaction.ts';

const treasury = createWallet(900);
const [ann, thief] = [createWallet(1), createWallet(2)];
const PAID = { withdrawal: 'p1-w1', to: ann.address, netMinor: 4_750_000_000n };
const key = (text: string) => new PublicKey(text);
const mint = key(TEST_TOKEN.contract ?? '');
const PROGRAMS = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID];
const faultOf = (
  signed: { readonly signature: string; readonly transaction: string },
  o?: { readonly memoLast: boolean },
) => paymentFault(PAID, TEST_TOKEN, signed, o);

/** The parts of a payment with one of them replaced. */
function parts(change: Partial<Parts> = {}): Parts {
  const program = change.program ?? TOKEN_PROGRAM_ID;
  const account = (wallet: string) =>
    getAssociatedTokenAddressSync(mint, key(wallet), true, program);
  const [source, target, payer] = [
    account(treasury.address),
    account(PAID.to),
    key(treasury.address),
  ] as const;
  return {
    program,
    limit: ComputeBudgetProgram.setComputeUnitLimit({ units: UNITS_MAX }),
    price: ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 0 }),
    open: createAssociatedTokenAccountIdempotentInstruction(
      ...([payer, target, key(PAID.to), mint, program] as const),
    ),
    memo: memoOf(PAID.withdrawal),
    transfer: createTransferCheckedInstruction(
      ...([source, mint, target, payer, PAID.netMinor, 9] as const),
      ...([[], program] as [[], PublicKey]),
    ),
    ...change,
  };
}
interface Parts {
  readonly program: PublicKey;
  readonly limit: TransactionInstruction;
  readonly price: TransactionInstruction;
  readonly open: TransactionInstruction;
  readonly memo: TransactionInstruction;
  readonly transfer: TransactionInstruction;
}
const memoOf = (text: string) =>
  new TransactionInstruction({
    programId: key(MEMO_PROGRAM),
    keys: [],
    data: Buffer.from(text, 'utf8'),
  });

function signed(
  instructions: readonly TransactionInstruction[],
  o: {
    readonly legacy?: boolean;
    readonly payer?: typeof treasury;
    readonly cosigner?: typeof ann;
  } = {},
) {
  const { payer = treasury } = o;
  const message = new TransactionMessage({
    payerKey: key(payer.address),
    recentBlockhash: TEST_TOKEN.contract ?? '',
    instructions: [...instructions],
  });
  const compiled = o.legacy ? message.compileToLegacyMessage() : message.compileToV0Message();
  const transaction = new VersionedTransaction(compiled);
  transaction.sign([payer, ...(o.cosigner ? [o.cosigner] : [])].map((one) => keypair(one)));
  return {
    signature: bs58.encode(transaction.signatures[0] ?? new Uint8Array()),
    transaction: Buffer.from(transaction.serialize()).toString('base64'),
  };
}

describe('the bytes of a payment', () => {
  it.each(PROGRAMS.map((program) => [program.toBase58()]))(
    'are those that the site signs, of program %s',
    (program) => {
      for (const opensAccount of [true, false]) {
        expect(faultOf(paymentBytes({ ...PAID, program, opensAccount }))).toBeNull();
      }
      const { limit, price, open, memo, transfer } = parts({ program: key(program) });
      for (const legacy of [true, false]) {
        expect(faultOf(signed([limit, price, open, memo, transfer], { legacy }))).toBeNull();
      }
    },
  );

  it('had the memo after the transfer before 2026-11-26, which only the audit accepts', () => {
    const { limit, price, open, memo, transfer } = parts();
    for (const before of [
      signed([limit, price, transfer, memo]),
      signed([limit, price, open, transfer, memo]),
    ]) {
      expect(faultOf(before)).not.toBeNull();
      expect(faultOf(before, { memoLast: true })).toBeNull();
    }
  });

  const { program, limit, price, open, memo, transfer } = parts();
  const account = (wallet: string) => getAssociatedTokenAddressSync(mint, key(wallet));
  const [source, target, owner] = [
    account(treasury.address),
    account(PAID.to),
    key(treasury.address),
  ];
  const moves = (change: {
    to?: PublicKey;
    amount?: bigint;
    decimals?: number;
    of?: PublicKey;
    token?: PublicKey;
  }) =>
    createTransferCheckedInstruction(
      ...([change.of ?? source, change.token ?? mint, change.to ?? target, owner] as const),
      ...([change.amount ?? PAID.netMinor, change.decimals ?? 9, [], program] as [
        bigint,
        number,
        [],
        PublicKey,
      ]),
    );
  const unchecked = new TransactionInstruction({
    ...transfer,
    data: Buffer.concat([Buffer.from([3]), transfer.data.subarray(1, 9)]),
  });
  const forgeries: readonly [string, readonly TransactionInstruction[]][] = [
    ['another amount', [limit, price, open, memo, moves({ amount: PAID.netMinor + 1n })]],
    ['another account', [limit, price, memo, moves({ to: account(thief.address) })]],
    ['the wallet itself as its account', [limit, price, memo, moves({ to: key(PAID.to) })]],
    ['an account of another mint', [limit, price, memo, moves({ token: key(ann.address) })]],
    ['another source', [limit, price, memo, moves({ of: account(thief.address) })]],
    ['other decimals', [limit, price, memo, moves({ decimals: 6 })]],
    ['another memo', [limit, price, open, memoOf('p1-w2'), transfer]],
    ['no memo', [limit, price, open, transfer]],
    ['two memos', [limit, price, memo, memo, transfer]],
    ['two transfers', [limit, price, open, memo, transfer, transfer]],
    ['a transfer before', [limit, price, moves({ to: account(thief.address) }), memo, transfer]],
    [
      'SOL to a stranger',
      [
        limit,
        price,
        SystemProgram.transfer({ fromPubkey: owner, toPubkey: key(thief.address), lamports: 1 }),
        memo,
        transfer,
      ],
    ],
    [
      'an account of a stranger opened',
      [
        limit,
        price,
        createAssociatedTokenAccountIdempotentInstruction(
          owner,
          account(thief.address),
          key(thief.address),
          mint,
        ),
        memo,
        transfer,
      ],
    ],
    ['the account opened last', [limit, price, memo, transfer, open]],
    ['the account opened twice', [limit, price, open, open, memo, transfer]],
    [
      'a burn',
      [
        limit,
        price,
        open,
        memo,
        createBurnCheckedInstruction(source, mint, owner, PAID.netMinor, 9),
      ],
    ],
    ['an unchecked transfer', [limit, price, memo, unchecked]],
    ['no compute budget', [open, memo, transfer]],
    ['the budget in another order', [price, limit, open, memo, transfer]],
    [
      'too many units',
      [ComputeBudgetProgram.setComputeUnitLimit({ units: UNITS_MAX + 1 }), price, memo, transfer],
    ],
    [
      'too high a price',
      [
        limit,
        ComputeBudgetProgram.setComputeUnitPrice({ microLamports: PRIORITY_MAX_MICRO + 1 }),
        memo,
        transfer,
      ],
    ],
    ['no transfer', [limit, price, memo]],
  ];
  it.each(forgeries)('do not have %s', (_what, instructions) => {
    for (const legacy of [true, false]) {
      for (const memoLast of [true, false]) {
        expect(faultOf(signed(instructions, { legacy }), { memoLast })).not.toBeNull();
      }
    }
  });

  it('are signed by the treasury alone, with the recorded signature', () => {
    const all = [limit, price, open, memo, transfer];
    const honest = signed(all);
    expect(faultOf(honest)).toBeNull();
    expect(
      faultOf({ ...honest, signature: signed([limit, price, memo, transfer]).signature }),
    ).toContain('signature');
    expect(
      faultOf(signed([limit, price, memo, transfer], { payer: thief, cosigner: treasury })),
    ).toContain('alone');
    const second = new TransactionInstruction({
      ...memo,
      keys: [{ pubkey: key(ann.address), isSigner: true, isWritable: false }],
    });
    expect(faultOf(signed([limit, price, open, second, transfer], { cosigner: ann }))).toContain(
      'alone',
    );
    for (const transaction of [
      '',
      'AQ==',
      `${honest.transaction} `,
      honest.transaction.slice(0, -4),
    ]) {
      expect(faultOf({ ...honest, transaction })).toContain('no transaction');
    }
    expect(paymentFault(PAID, { ...TEST_TOKEN, contract: null }, honest)).toContain('no mint');
  });

  it('with a lookup table are refused', () => {
    const table = new AddressLookupTableAccount({
      key: key(thief.address),
      state: {
        deactivationSlot: 2n ** 64n - 1n,
        lastExtendedSlot: 0,
        lastExtendedSlotStartIndex: 0,
        addresses: [target, mint],
      },
    });
    const message = new TransactionMessage({
      payerKey: owner,
      recentBlockhash: mint.toBase58(),
      instructions: [limit, price, memo, transfer],
    }).compileToV0Message([table]);
    expect(message.addressTableLookups).toHaveLength(1);
    const transaction = new VersionedTransaction(message);
    transaction.sign([keypair(treasury)]);
    expect(decodeTransaction(transaction.serialize())).toBeNull();
  });
});

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 });
const publicKey = bytes32.map((bytes) => new PublicKey(bytes));
const account = fc.record({ pubkey: publicKey, isSigner: fc.boolean(), isWritable: fc.boolean() });
const instruction = fc
  .record({
    programId: publicKey,
    keys: fc.array(account, { maxLength: 6 }),
    data: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  })
  .map((one) => new TransactionInstruction(one));

test('any message is decoded as web3.js does', () => {
  fc.assert(
    fc.property(
      fc.array(instruction, { maxLength: 5 }),
      ...([publicKey, fc.boolean()] as const),
      (instructions, payerKey, legacy) => {
        const message = new TransactionMessage({
          payerKey,
          recentBlockhash: mint.toBase58(),
          instructions,
        });
        const compiled = legacy ? message.compileToLegacyMessage() : message.compileToV0Message();
        const transaction = new VersionedTransaction(compiled);
        const decoded = decodeTransaction(serialize(transaction));
        const { staticAccountKeys: keys } = compiled;
        const named = compiled.compiledInstructions.map((one) => ({
          program: keys[one.programIdIndex]?.toBase58(),
          accounts: one.accountKeyIndexes.map((index) => keys[index]?.toBase58()),
          data: [...one.data],
        }));
        expect(decoded).toEqual({
          signatures: transaction.signatures.map((one) => bs58.encode(one)),
          signers: keys
            .slice(0, compiled.header.numRequiredSignatures)
            .map((one) => one.toBase58()),
          instructions: named,
        });
      },
    ),
  );
});

/** web3.js writes at most 1,232 bytes, and refuses larger messages. */
function serialize(transaction: VersionedTransaction): Uint8Array {
  const message = transaction.message.serialize();
  const count = transaction.signatures.length;
  expect(count).toBeLessThan(128);
  return Uint8Array.from([count, ...transaction.signatures.flatMap((one) => [...one]), ...message]);
}

test('no change of its bytes is a payment of another amount or account', () => {
  const honest = paymentBytes(PAID);
  const bytes = Buffer.from(honest.transaction, 'base64');
  const change = fc.record({
    at: fc.nat(bytes.length - 1),
    cut: fc.nat(3),
    put: fc.uint8Array({ maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      let altered = bytes;
      for (const { at, cut, put } of changes) {
        altered = Buffer.concat([altered.subarray(0, at), put, altered.subarray(at + cut)]);
      }
      const transaction = altered.toString('base64');
      if (faultOf({ ...honest, transaction }) !== null) return;
      // Accepted: web3.js reads the same transfer and memo from it, whatever else differs.
      const { message } = VersionedTransaction.deserialize(altered);
      const { instructions } = TransactionMessage.decompile(message);
      const honestly = TransactionMessage.decompile(
        VersionedTransaction.deserialize(bytes).message,
      );
      expect(shown(instructions.slice(2))).toEqual(shown(honestly.instructions.slice(2)));
    }),
    { numRuns: 2_000 },
  );
});
const shown = (list: readonly TransactionInstruction[]) =>
  list.map(({ programId, keys, data }) => [
    programId.toBase58(),
    keys.map(({ pubkey }) => pubkey.toBase58()),
    [...data],
  ]);

test('token accounts are derived as by @solana/spl-token, of any wallet and mint', () => {
  fc.assert(
    fc.property(publicKey, publicKey, fc.constantFrom(...PROGRAMS), (wallet, of, program) => {
      const derived = tokenAccountOf(wallet.toBase58(), {
        mint: of.toBase58(),
        program: program.toBase58(),
      });
      expect(derived).toBe(getAssociatedTokenAddressSync(of, wallet, true, program).toBase58());
    }),
  );
});
