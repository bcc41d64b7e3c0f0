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

/** Powers over a mint that let somebody take or stop what players own. Each is refused unless it is allowed by name. */
export const MINT_POWERS = [
  /** May move or burn anybody's tokens, the treasury's too. */
  'permanent-delegate',
  /** Runs a stranger's program in every transfer, which may refuse it. */
  'transfer-hook',
] as const;
export type MintPower = (typeof MINT_POWERS)[number];

/** What the mint is, read from the chain at the start. */
export interface Terms extends Treasury {
  readonly decimals: number;
  /** Size of a token account of this mint, which its opener pays the rent of. */
  readonly accountBytes: number;
  /** Of Token-2022, now: parts of ten thousand that a transfer keeps back, and the most it keeps; null where none. */
  readonly transferFee: { readonly basisPoints: number; readonly maximumMinor: bigint } | null;
  /** For the log and for operators: what is allowed, but should be known. */
  readonly warnings: readonly string[];
}

/** The mint cannot be used, for reasons that no waiting mends. */
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
  if (!account) throw new MintRefused(o.mint, ['there is no such account on this chain']);
  const program = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID].find((id) => id.equals(account.owner));
  if (!program) throw new MintRefused(o.mint, ['no token program owns it']);
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
    // Whoever owned more could pay in what no balance can hold.
    const [supply, most] = [mint.supply, AMOUNT_MAX_MINOR].map((minor) => toText('token', minor));
    faults.push(`there are ${supply} of it, and the ledger counts to ${most}`);
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
    throw new MintRefused(address.toBase58(), ['it is no mint, but another account']);
  }
}

function powersOf(mint: Mint): MintPower[] {
  const powers: MintPower[] = [];
  if (isSet(getPermanentDelegate(mint)?.delegate)) powers.push('permanent-delegate');
  const hook = getTransferHook(mint);
  // Whoever may set the program later has the power now.
  if (hook && (isSet(hook.programId) || isSet(hook.authority))) powers.push('transfer-hook');
  return powers;
}

const isSet = (key: PublicKey | undefined) => key !== undefined && !key.equals(PublicKey.default);

/** What the mint's extensions ask of its accounts, and the fixed owner that every associated account has. */
function accountBytes(mint: Mint): number {
  const asked = getExtensionTypes(mint.tlvData)
    .map(getAccountTypeOfMintType)
    .filter((type) => type !== ExtensionType.Uninitialized);
  return getAccountLen([...asked, ExtensionType.ImmutableOwner]);
}

function feeOf(mint: Mint, epoch: number): Terms['transferFee'] {
  const config = getTransferFeeConfig(mint);
  if (!config) return null;
  const { newerTransferFee, olderTransferFee } = config;
  const fee = BigInt(epoch) >= newerTransferFee.epoch ? newerTransferFee : olderTransferFee;
  return { basisPoints: fee.transferFeeBasisPoints, maximumMinor: fee.maximumFee };
}

function warningsOf(mint: Mint, powers: readonly MintPower[]): string[] {
  const warnings = powers.map((power) => `the mint has a ${power.replace('-', ' ')}, by setting`);
  if (mint.freezeAuthority) {
    warnings.push(`${mint.freezeAuthority.toBase58()} may freeze any token account, also ours`);
  }
  if (getTransferFeeConfig(mint)) {
    warnings.push('transfers of this mint may keep a fee back: what arrives is credited');
  }
  if (mint.mintAuthority) {
    warnings.push(`${mint.mintAuthority.toBase58()} may make more of it at any time`);
  }
  return warnings;
}
