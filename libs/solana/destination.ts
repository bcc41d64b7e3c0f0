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

/** The token account of that wallet, and the rent in lamports to open it (0: it is open). */
export async function findReceiver(
  chain: Chain,
  wallet: string,
): Promise<{ readonly tokenAccount: string; readonly rentLamports: bigint }> {
  const { mint, program, accountBytes } = await chain.terms();
  const [mintKey, programKey] = [new PublicKey(mint), new PublicKey(program)];
  const owner = new PublicKey(wallet);
  const tokenAccount = getAssociatedTokenAddressSync(mintKey, owner, true, programKey).toBase58();
  if (await chain.account(tokenAccount)) return { tokenAccount, rentLamports: 0n };
  const lamports = await chain.read('getMinimumBalanceForRentExemption', (node) =>
    node.getMinimumBalanceForRentExemption(accountBytes),
  );
  return { tokenAccount, rentLamports: BigInt(lamports) };
}
