import {
  ACCOUNT_SIZE,
  getAssociatedTokenAddressSync,
  TOKEN_2022_PROGRAM_ID,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { Connection, PublicKey, SystemProgram } from '@solana/web3.js';
import { readAddress } from './keys.ts';
import type { Terms } from './mint.ts';
import type { Chain } from './rpc.ts';

export type DestinationFault =
  | 'not-an-address'
  /** No key can sign for it: a program-derived address. */
  | 'not-a-wallet'
  | 'ours'
  | 'a-mint'
  | 'a-token-account'
  | 'a-program';

const TOKEN_PROGRAMS = [TOKEN_PROGRAM_ID, TOKEN_2022_PROGRAM_ID];
/** Bytes of a mint without extensions; a mint with extensions has at least the size of a token account. */
const MINT_SIZE = 82;
const ACCOUNT_TYPE_MINT = 1;
/** The owner in the bytes of a token account, after the mint. */
const [OWNER_AT, OWNER_END] = [32, 64] as const;

/** What a check of an address reads; a browser that does not know `tokenAccount` finds it to be a token account. */
interface Known extends Pick<Chain, 'account'> {
  terms(): Promise<Pick<Terms, 'mint' | 'wallet'> & Partial<Pick<Terms, 'tokenAccount'>>>;
}

/** Why tokens must not be sent to that address; null if they may. A wallet that is not on the chain yet is valid. */
export async function checkDestination(
  chain: Known,
  address: string,
): Promise<DestinationFault | null> {
  const key = readAddress(address);
  if (!key) return 'not-an-address';
  const { mint, wallet, tokenAccount } = await chain.terms();
  if ([wallet, tokenAccount].includes(address)) return 'ours';
  if (address === mint) return 'a-mint';
  const account = await chain.account(address);
  if (account?.executable) return 'a-program';
  if (account && TOKEN_PROGRAMS.some((program) => program.equals(account.owner))) {
    return isMint(account.data) ? 'a-mint' : 'a-token-account';
  }
  if (account && !account.owner.equals(SystemProgram.programId)) return 'not-a-wallet';
  return PublicKey.isOnCurve(key.toBytes()) ? null : 'not-a-wallet';
}

/** `checkDestination` in the browser, over its RPC. Rejects while that does not respond. */
export function checkDestinationAt(
  { rpcUrl, ...terms }: { readonly rpcUrl: string; readonly mint: string; readonly wallet: string },
  address: string,
): Promise<DestinationFault | null> {
  const connection = new Connection(rpcUrl, 'confirmed');
  const chain: Known = {
    terms: () => Promise.resolve(terms),
    account: (of) => connection.getAccountInfo(new PublicKey(of)),
  };
  return checkDestination(chain, address);
}

function isMint(data: Uint8Array): boolean {
  return data.length === MINT_SIZE || data[ACCOUNT_SIZE] === ACCOUNT_TYPE_MINT;
}

export interface Receiver {
  readonly tokenAccount: string;
  /** To open it, in lamports; 0: it is open. */
  readonly rentLamports: bigint;
  /** Its owner has given it to another wallet: what arrives there is not of the recorded address. */
  readonly isForeign: boolean;
}

/** The token account of that wallet. */
export async function findReceiver(
  chain: Pick<Chain, 'terms' | 'account' | 'read'>,
  wallet: string,
): Promise<Receiver> {
  const { mint, program, accountBytes } = await chain.terms();
  const [mintKey, programKey] = [new PublicKey(mint), new PublicKey(program)];
  const owner = new PublicKey(wallet);
  const tokenAccount = getAssociatedTokenAddressSync(mintKey, owner, true, programKey).toBase58();
  const account = await chain.account(tokenAccount);
  // SOL that was sent there before it was opened makes an account without tokens.
  if (account?.owner.equals(programKey)) {
    const isForeign = !owner.equals(new PublicKey(account.data.subarray(OWNER_AT, OWNER_END)));
    return { tokenAccount, rentLamports: 0n, isForeign };
  }
  const lamports = await chain.read('getMinimumBalanceForRentExemption', (node) =>
    node.getMinimumBalanceForRentExemption(accountBytes),
  );
  return { tokenAccount, rentLamports: BigInt(lamports), isForeign: false };
}
