import { ApiError } from '@reelbook/contract/client';
import { type DepositFault as Code, isDepositFault } from '@reelbook/ledger/deposit-faults';
import { formatInteger } from '@reelbook/web/format';
import { ChunkLoadError } from '@reelbook/web/load-part';
import { refusalText } from '../../lib/refusal-text.ts';

/** The text of a failed deposit, with its figures. */
export type DepositFault =
  | { key: `deposit.fault.${'above' | 'manualAbove'}Maximum`; max: string }
  | { key: `deposit.fault.${'below' | 'manualBelow'}Minimum`; min: string }
  | { key: 'deposit.fault.other' | 'deposit.fault.manual'; why: string }
  | { key: 'deposit.fault.other' | 'deposit.fault.manual'; code: Code }
  | { key: 'deposit.fault.insufficient'; required: string; available: string }
  | {
      key:
        | 'deposit.fault.network'
        | 'deposit.fault.notSent'
        | 'deposit.fault.noContract'
        | 'deposit.fault.unreadableMint'
        | 'deposit.fault.noProjectWallet'
        | 'deposit.fault.noAccount'
        | 'deposit.fault.cancelled'
        | 'deposit.fault.noFunds';
    };

/** A signed deposit, with what shows that it can no longer land. `amount` in BSM. */
export interface Deposit {
  readonly hash: string;
  readonly amount: number;
  /** Of the signed transaction, which the wallet may have changed. */
  readonly blockhash: string;
  readonly lastValidBlockHeight: number;
}

/** A signed deposit that no node has forwarded. */
export class NotSent extends Error {
  override readonly name = 'NotSent';

  constructor(cause: unknown) {
    super(String(cause), { cause });
  }
}

const BAD_REQUEST = 400;
const REFUSALS_TO = 500;

const isRefusal = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code >= BAD_REQUEST && error.code < REFUSALS_TO;

/** The server refused the deposit before the wallet was requested to sign it. */
export function intentFault(error: unknown): DepositFault {
  if (!isRefusal(error)) return { key: 'deposit.fault.network' };
  return reportFault(error, { manual: false });
}

/** A refusal: the specification's phrases, selected by its code, with its figure: that of the page may be older. */
export function reportFault(error: unknown, { manual }: { manual: boolean }): DepositFault {
  const data = error instanceof ApiError ? error.data : null;
  if (data?.error === 'deposit-above-maximum') {
    const max = formatInteger(Number(data.token));
    return { key: `deposit.fault.${manual ? 'manualAbove' : 'above'}Maximum`, max };
  }
  if (data?.error === 'deposit-below-minimum') {
    const min = formatInteger(Number(data.token));
    return { key: `deposit.fault.${manual ? 'manualBelow' : 'below'}Minimum`, min };
  }
  const key = manual ? 'deposit.fault.manual' : 'deposit.fault.other';
  const code = faultOf(error);
  return code ? { key, code } : { key, why: refusalText(error) };
}

/** Why the server knows that a transaction is no deposit of the player; null: it may be one. */
export function faultOf(error: unknown): Code | null {
  const code = error instanceof ApiError ? error.data?.fault : null;
  return isDepositFault(code) ? code : null;
}

const AMOUNTS = /Required: (.+?) BSM, Available: (.+?) BSM/;

/** A failure before the deposit was on the chain: a refusal of the server, or by the message of wallet or chain. */
export function chainFault(error: unknown): DepositFault {
  if (error instanceof ApiError) return intentFault(error);
  if (error instanceof ChunkLoadError) return { key: 'deposit.fault.network' };
  const text = error instanceof Error ? error.message : String(error);
  const [, required, available] = AMOUNTS.exec(text) ?? [];
  if (required && available) return { key: 'deposit.fault.insufficient', required, available };
  if (/^Token contract address/.test(text)) return { key: 'deposit.fault.noContract' };
  if (/^The token contract could not be read/.test(text)) {
    return { key: 'deposit.fault.unreadableMint' };
  }
  if (/^Project wallet address/.test(text)) return { key: 'deposit.fault.noProjectWallet' };
  if (/do not have a BSM token account/.test(text)) return { key: 'deposit.fault.noAccount' };
  if (/user rejected|rejected the request|cancelled by user/i.test(text)) {
    return { key: 'deposit.fault.cancelled' };
  }
  if (/insufficient (funds|lamports|BSM)|no record of a prior credit/i.test(text)) {
    return { key: 'deposit.fault.noFunds' };
  }
  // An unreachable server may be retried; any other failure is the wallet's or the chain's.
  if (/failed to fetch|fetch failed|network/i.test(text)) return { key: 'deposit.fault.network' };
  return { key: 'deposit.fault.notSent' };
}
