import { AMOUNT_MAX_MINOR, toText } from '@reelbook/ledger/money';
import {
  ACCOUNT_SIZE,
  ExtensionType,
  getAccountLen,
  getAccountTypeOfMintType,
  getAssociatedTokenAddressSync,
  getExtensionTypes,
  getPermanentDelegate,
  getTransferFeeConfig,
  getTransferHook,
  type Mint,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
  unpackMint,
} from '@solana/spl-token';
import { type AccountInfo, PublicKey } from '@solana/web3.js';
import type { Treasury } from './verify-transfer.ts';

/** Powers over a mint that can take or block players' tokens. Each is refused unless it is allowed by name. */
export const MINT_POWERS = [
  /** May move or burn any owner's tokens, also the treasury's. */
  'permanent-delegate',
  /** Runs a third-party program in every transfer, which may refuse the transfer. */
  'transfer-hook',
] as const;
export type MintPower = (typeof MINT_POWERS)[number];

/** The mint, read from the chain at the start. */
export interface Terms extends Treasury {
  readonly decimals: number;
  /** Size in bytes of a token account of this mint, which determines its rent. */
  readonly accountBytes: number;
  /** The current Token-2022 transfer fee in basis points and its maximum; null without one. */
  readonly transferFee: { readonly basisPoints: number; readonly maximumMinor: bigint } | null;
  /** Allowed properties of the mint that operators should know. */
  readonly warnings: readonly string[];
}

/** The mint cannot be used; a retry does not help. */
export class MintRefused extends Error {
  override readonly name = 'MintRefused';
  readonly faults: readonly string[];
  constructor(mint: string, faults: readonly string[]) {
    super(`The mint ${mint} cannot be used: ${faults.join('; ')}`);
    this.faults = faults;
  }
}

/** Reads the mint's account and applies the policy. Throws MintRefused with every fault. */
export function readTerms(o: {
  readonly mint: string;
  readonly wallet: string;
  readonly decimals: number;
  readonly allow: readonly MintPower[];
  readonly epoch: number;
  readonly account: AccountInfo<Buffer> | null;
}): Terms {
  const { account } = o;
  if (!account) throw new MintRefused(o.mint, ['the account does not exist on this chain']);
  const program = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].find((id) => id.equals(account.owner));
  if (!program) throw new MintRefused(o.mint, ['it is not owned by a token program']);
  const address = new PublicKey(o.mint);
  const mint = unpack(address, account, program);
  const powers = powersOf(mint);
  const faults = powers
    .filter((power) => !o.allow.includes(power))
    .map((power) => `it has a ${power.replace('-', ' ')}; allow it by name if you trust it`);
  if (!mint.isInitialized) faults.push('it is not initialized');
  if (mint.decimals !== o.decimals) {
    faults.push(`it has ${mint.decimals} decimals, and the ledger counts in ${o.decimals}`);
  } else if (mint.supply > AMOUNT_MAX_MINOR) {
    // A larger deposit would exceed the maximum balance.
    const [supply, most] = [mint.supply, AMOUNT_MAX_MINOR].map((minor) => toText('token', minor));
    faults.push(`its supply is ${supply}, and the ledger's maximum is ${most}`);
  }
  if (faults.length > 0) throw new MintRefused(o.mint, faults);
  const wallet = new PublicKey(o.wallet);
  return {
    mint: o.mint,
    wallet: o.wallet,
    tokenAccount: getAssociatedTokenAddressSync(address, wallet, true, program).toBase58(),
    program: program.toBase58(),
    decimals: mint.decimals,
    accountBytes: program.equals(TOKEN_PROGRAM_ID) ? ACCOUNT_SIZE : accountBytes(mint),
    transferFee: feeOf(mint, o.epoch),
    warnings: warningsOf(mint, powers),
  };
}

function unpack(address: PublicKey, account: AccountInfo<Buffer>, program: PublicKey): Mint {
  try {
    return unpackMint(address, account, program);
  } catch {
    throw new MintRefused(address.toBase58(), ['it is not a mint']);
  }
}

function powersOf(mint: Mint): MintPower[] {
  const powers: MintPower[] = [];
  if (isSet(getPermanentDelegate(mint)?.delegate)) powers.push('permanent-delegate');
  const hook = getTransferHook(mint);
  // An authority that can set the program later has the power now.
  if (hook && (isSet(hook.programId) || isSet(hook.authority))) powers.push('transfer-hook');
  return powers;
}

const isSet = (key: PublicKey | undefined) => key !== undefined && !key.equals(PublicKey.default);

/** The extensions of the mint's token accounts, and the immutable owner of associated accounts. */
function accountBytes(mint: Mint): number {
  const extensions = getExtensionTypes(mint.tlvData)
    .map(getAccountTypeOfMintType)
    .filter((type) => type !== ExtensionType.Uninitialized);
  return getAccountLen([...extensions, ExtensionType.ImmutableOwner]);
}

function feeOf(mint: Mint, epoch: number): Terms['transferFee'] {
  const config = getTransferFeeConfig(mint);
  if (!config) return null;
  const { newerTransferFee, olderTransferFee } = config;
  const fee = BigInt(epoch) >= newerTransferFee.epoch ? newerTransferFee : olderTransferFee;
  return { basisPoints: fee.transferFeeBasisPoints, maximumMinor: fee.maximumFee };
}

function warningsOf(mint: Mint, powers: readonly MintPower[]): string[] {
  const warnings = powers.map(
    (power) => `the mint has a ${power.replace('-', ' ')}, allowed by TOKEN_ALLOW`,
  );
  if (mint.freezeAuthority) {
    warnings.push(
      `${mint.freezeAuthority.toBase58()} may freeze any token account, also the treasury's`,
    );
  }
  if (getTransferFeeConfig(mint)) {
    warnings.push('the mint may charge a transfer fee: the received amount is credited');
  }
  if (mint.mintAuthority) {
    warnings.push(`${mint.mintAuthority.toBase58()} may mint more tokens at any time`);
  }
  return warnings;
}
