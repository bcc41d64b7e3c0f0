import type {
  DepositBody,
  DepositIntentBody,
  DepositIntentResult,
  DepositResult,
} from '@reelbook/contract/player/wallet';
import { Refused } from '@reelbook/http/refused';
import type { Config } from '@reelbook/ledger/config/config';
import type { DepositFault } from '@reelbook/ledger/deposit-faults';
import { toMinor, toNumber } from '@reelbook/ledger/money';
import { refuseDepositIntent } from '@reelbook/ledger/player/protection-state';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { readArrival, readMovement } from '@reelbook/payments/movements';
import {
  placeOf,
  REPORTS_PENDING_MAX,
  type Report,
  recordReport,
  settleReport,
  sumOnItsWay,
} from '@reelbook/payments/reports';
import type { Level } from '@reelbook/solana/rpc';
import { verifyTransfer } from '@reelbook/solana/verify-transfer';
import bs58 from 'bs58';
import { depositTextOf } from '../answers/payments.ts';
import { balancesAnswer } from '../answers/player.ts';
import type { Caller, Gateway } from '../context.ts';
import type { PlayersChain } from '../limits.ts';
import { readPlayer } from '../reads/player.ts';

const SIGNATURE_BYTES = 64;
/** Time limit for checking the chain, within the client's timeout of 10 s; after it the status is `pending`. */
const CHECK_TIMEOUT_MS = 3_000;

/**
 * Checks whether the player may deposit this amount now. Pages call it before the wallet sends, because a received deposit
 * is credited regardless of limits and exclusion. It reserves nothing; reported deposits that are not final yet count.
 */
export async function depositIntent(
  gateway: Gateway,
  { wallet, body }: Caller & { readonly body: DepositIntentBody },
): Promise<{ data: DepositIntentResult }> {
  const amountMinor = readAmount(body.amount, gateway.config.current().config);
  if (isRejection(amountMinor)) throw new Refused(amountMinor);
  // Read before the state: a deposit that becomes final in between counts twice instead of not at all.
  const onItsWayMinor = await sumOnItsWay(gateway.pool, wallet);
  await refuseIntent(gateway, { wallet, amountMinor, onItsWayMinor });
  return { data: { success: true } };
}

async function refuseIntent(
  gateway: Gateway,
  options: {
    readonly wallet: string;
    readonly amountMinor: bigint;
    readonly onItsWayMinor: bigint;
  },
): Promise<void> {
  const { state } = await readPlayer(gateway, options.wallet);
  const refused = refuseDepositIntent(state, {
    ...options,
    timeMs: await gateway.clock.agreedMs(),
  });
  if (refused) throw new Refused(refused);
}

/**
 * Records a transaction that a player reports, and checks it once on the chain: if it is certainly not a deposit of this
 * player, it is refused; otherwise it is `pending` until the cashier finds it finalized. Credits nothing.
 */
export async function deposit(
  gateway: Gateway,
  options: Caller & { readonly body: DepositBody },
): Promise<{ data: DepositResult }> {
  const { wallet, body } = options;
  const { pool } = gateway;
  const chain = gateway.chainFor(wallet);
  const signature = readSignature(body.tx_hash);
  const amountMinor = readAmount(body.amount, gateway.config.current().config);
  if (signature === null) throw new Refused(reject('deposit-hash-invalid'));
  if (isRejection(amountMinor)) throw new Refused(amountMinor);
  if (!chain) throw new Refused(reject('no-chain'));
  const known = await findKnown(pool, chain, { signature, wallet });
  const tooMany = reject('deposits-too-many', { max: REPORTS_PENDING_MAX });
  const { expiry } = body;
  if (!known) {
    await refuseIntent(gateway, { wallet, amountMinor, onItsWayMinor: 0n });
    const place = await placeOf(pool, { wallet, signature });
    if (place === 'none') throw new Refused(tooMany);
    if (expiry && (await hasExpired(chain, { signature, expiry }))) {
      await settleReport(pool, { wallet, signature }, { status: 'failed', fault: 'expired' });
      throw new Refused(reject('deposit-not-ours', { fault: 'expired' }));
    }
    // A failure that is not final yet may be lost with its block, and the transaction land again.
    const level = expiry ? 'finalized' : 'confirmed';
    const fault = place === 'new' ? await findFault(chain, { signature, wallet, level }) : null;
    if (fault) throw new Refused(reject('deposit-not-ours', { fault }));
  }
  const report = await recordReport(pool, { wallet, signature, amountMinor });
  if (!report) throw new Refused(tooMany);
  gateway.log.info(
    { correlation: options.correlation, transaction: signature },
    'deposit reported',
  );
  // The row of a report is no evidence of a credit.
  return { data: await resultOf(gateway, wallet, { ...report, status: 'pending', ...known }) };
}

async function resultOf(gateway: Gateway, wallet: string, report: Report): Promise<DepositResult> {
  const player = await readPlayer(gateway, wallet);
  return {
    success: true,
    status: report.status,
    tx_hash: report.signature,
    amount: toNumber('token', report.amountMinor),
    message: depositTextOf(report),
    ...balancesAnswer(player.state, player),
  };
}

/**
 * What the ledger has of the transfer, or that the scan has it; null: only the chain can say. Throws `Refused` for a deposit
 * of another player.
 */
async function findKnown(
  pool: Gateway['pool'],
  chain: PlayersChain,
  { signature, wallet }: Pick<Report, 'signature' | 'wallet'>,
): Promise<Pick<Report, 'status' | 'amountMinor'> | null> {
  const movement = await readMovement(pool, signature);
  // The row may be missing; it names the account of a treasury of before.
  const { tokenAccount } = movement ?? (await inTime(() => chain.terms())) ?? {};
  const arrival = tokenAccount ? await readArrival(pool, { signature, tokenAccount }) : null;
  const { kind, sender, deltaMinor: amountMinor } = arrival ?? movement ?? {};
  if (kind === undefined || amountMinor === undefined) return null;
  if (arrival && kind === 'unmatched') return { status: 'review', amountMinor };
  if (kind === 'deposit' && sender === wallet) {
    return { status: arrival ? 'completed' : 'pending', amountMinor };
  }
  if (arrival) throw new Refused(reject('deposit-not-ours', { fault: 'wrong-sender' }));
  return null;
}

/** Why the transaction is not a deposit of the wallet; null if it may be one or the chain does not respond in time. */
function findFault(
  chain: PlayersChain,
  of: { readonly signature: string; readonly wallet: string; readonly level: Level },
): Promise<DepositFault | null> {
  return inTime(async () => {
    const [terms, transaction] = await Promise.all([
      chain.terms(),
      chain.transaction(of.signature, of.level),
    ]);
    if (!transaction) return null;
    const verdict = verifyTransfer(transaction, terms);
    if (verdict.kind === 'nothing') return verdict.reason;
    const theirs = verdict.kind === 'credit' && verdict.sender !== of.wallet;
    return theirs ? 'wrong-sender' : null;
  });
}

/** Whether every node reports that it does not have the transaction and that it can no longer land. */
async function hasExpired(
  chain: PlayersChain,
  { signature, expiry }: { readonly signature: string } & Required<Pick<DepositBody, 'expiry'>>,
): Promise<boolean> {
  const { blockhash, last_valid_block_height: lastValidBlockHeight } = expiry;
  const signed = { signature, blockhash, lastValidBlockHeight };
  return ((await inTime(() => chain.absence(signed)))?.witnesses ?? 0) > 0;
}

/** Null if the chain does not respond in time: the cashier checks later. */
async function inTime<Found>(check: () => Promise<Found>): Promise<Found | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([check().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The canonical base58 of a 64-byte signature, or null. */
function readSignature(text: string): string | null {
  const bytes = bs58.decodeUnsafe(text.trim());
  return bytes?.length === SIGNATURE_BYTES ? bs58.encode(bytes) : null;
}

function readAmount(amount: number, { deposit: bounds }: Config): bigint | Rejection {
  const { minTokenMinor, maxTokenMinor } = bounds;
  const minor = toMinor('token', amount);
  if (minor === null ? amount > toNumber('token', maxTokenMinor) : minor > maxTokenMinor) {
    return reject('deposit-above-maximum', { tokenMinor: maxTokenMinor });
  }
  if (minor === null ? amount < toNumber('token', minTokenMinor) : minor < minTokenMinor) {
    return reject('deposit-below-minimum', { tokenMinor: minTokenMinor });
  }
  return minor ?? reject('deposit-amount-invalid');
}
