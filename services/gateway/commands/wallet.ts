import { readSignature } from '@reelbook/contract/login';
import type {
  DepositBody,
  DepositIntentBody,
  DepositIntentResult,
  DepositResult,
  ExchangeBody,
  ExchangeResult,
  WithdrawBody,
  WithdrawResult,
} from '@reelbook/contract/player/wallet';
import { Refused, settled } from '@reelbook/http/routes';
import { isSignedBy, readWallet } from '@reelbook/http/tokens';
import { assert } from '@reelbook/ledger/assert';
import { type Config, exchangeInForce } from '@reelbook/ledger/config/config';
import type { DepositFault } from '@reelbook/ledger/deposit-faults';
import {
  AMOUNT_MAX_MINOR,
  type Asset,
  rateNumber,
  toMinor,
  toNumber,
} from '@reelbook/ledger/money';
import {
  type Confirmation,
  readConfirmation,
  SIGNATURE_AHEAD_MS,
  SIGNATURE_WINDOW_MS,
} from '@reelbook/ledger/player/confirmation';
import { playerDecider, refuseBudget } from '@reelbook/ledger/player/decide';
import { rateOf } from '@reelbook/ledger/player/exchange';
import type { RequestWithdrawal } from '@reelbook/ledger/player/payment-events';
import { refuseDepositIntent } from '@reelbook/ledger/player/protection-state';
import { refuseWithdrawal } from '@reelbook/ledger/player/withdrawals';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { readArrival, readMovement } from '@reelbook/payments/movements';
import {
  placeOf,
  REPORTS_PENDING_MAX,
  type Report,
  recordReport,
  settleReport,
  sumOnItsWay,
} from '@reelbook/payments/reports';
import { within } from '@reelbook/runtime/alarm';
import { checkDestination, findReceiver } from '@reelbook/solana/destination';
import type { Level } from '@reelbook/solana/rpc';
import { verifyTransfer } from '@reelbook/solana/verify-transfer';
import bs58 from 'bs58';
import { balancesAnswer } from '../answers/player.ts';
import { depositTextOf, exchangeAnswer, withdrawAnswer } from '../answers/wallet.ts';
import type { Caller, Gateway } from '../context.ts';
import type { PlayersChain } from '../limits.ts';
import { readPlayer } from '../reads/player.ts';
import { act, playTermsOf } from './stakes.ts';

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
  const { wallet, body, correlation } = options;
  const { pool } = gateway;
  const chain = gateway.chainFor(wallet);
  const signature = readTransactionSignature(body.tx_hash);
  if (signature === null) throw new Refused(reject('deposit-hash-invalid'));
  if (!chain) throw new Refused(reject('no-chain'));
  const known = await findKnown(pool, chain, { signature, wallet });
  const { expiry } = body;
  // Before what refuses a deposit of now: one that can no longer land must not be waited for.
  if (!known && expiry && (await hasExpired(chain, { signature, expiry }))) {
    await settleReport(pool, { wallet, signature }, { status: 'failed', fault: 'expired' });
    throw new Refused(reject('deposit-not-ours', { fault: 'expired' }));
  }
  // The bounds of now do not apply to what has arrived.
  const amountMinor =
    known?.amountMinor ?? readAmount(body.amount, gateway.config.current().config);
  if (isRejection(amountMinor)) throw new Refused(amountMinor);
  const tooMany = reject('deposits-too-many', { max: REPORTS_PENDING_MAX });
  if (!known) {
    await refuseIntent(gateway, { wallet, amountMinor, onItsWayMinor: 0n });
    const place = await placeOf(pool, { wallet, signature });
    if (place === 'none') throw new Refused(tooMany);
    // A failure that is not final yet may be lost with its block, and the transaction land again.
    const level = expiry ? 'finalized' : 'confirmed';
    const fault = place === 'new' ? await findFault(chain, { signature, wallet, level }) : null;
    if (fault) throw new Refused(reject('deposit-not-ours', { fault }));
  }
  const report = await recordReport(pool, { wallet, signature, amountMinor });
  if (!report) throw new Refused(tooMany);
  gateway.log.info({ correlation, transaction: signature }, 'deposit reported');
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
  return (
    (await within(
      CHECK_TIMEOUT_MS,
      check().catch(() => null),
    )) ?? null
  );
}

/** The canonical base58 of a 64-byte signature, or null. */
function readTransactionSignature(text: string): string | null {
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

/**
 * Exchanges one asset for the other at the rates in force at the append, which also checks that the treasury covers the
 * BSM.
 */
export async function exchange(
  gateway: Gateway,
  options: Caller & { readonly body: ExchangeBody; readonly key: string | undefined },
): Promise<{ data: ExchangeResult; position: number }> {
  const { body } = options;
  const { from_type: fromAsset, to_type: toAsset, amount } = body;
  const amountMinor = readExchangeAmount(fromAsset, amount);
  if (isRejection(amountMinor)) throw new Refused(amountMinor);
  const executed = await act(gateway, options, {
    key: options.key,
    request: { command: 'exchange', fromAsset, toAsset, amount },
    async prepare(state) {
      const { config, version: configVersion } = gateway.config.current();
      const terms = exchangeInForce(config);
      const rate = rateNumber(rateOf({ fromAsset, terms }));
      if (body.rate !== undefined && body.rate !== rate) return reject('terms-changed');
      const play = await playTermsOf(gateway, config, state);
      const asked = { type: 'Exchange', fromAsset, toAsset, amountMinor } as const;
      return { command: { ...asked, terms, play }, configVersion };
    },
  });
  const { events, position } = settled(executed);
  const data = exchangeAnswer(events);
  assert(data, 'an executed exchange is an event');
  return { data, position };
}

function readExchangeAmount(asset: Asset, amount: number): bigint | Rejection {
  if (amount > toNumber(asset, AMOUNT_MAX_MINOR)) return reject('exchange-too-large');
  return toMinor(asset, amount) ?? reject('exchange-amount-invalid');
}

/**
 * Reserves BSM for a withdrawal to any wallet; the cashier pays it. Neither exclusion nor limits refuse it: players can
 * always withdraw.
 */
export async function withdraw(
  gateway: Gateway,
  options: Caller & {
    readonly body: WithdrawBody;
    readonly key: string | undefined;
    readonly nowMs: number;
  },
): Promise<{ data: WithdrawResult; position: number }> {
  const { wallet } = options;
  const { amount, to_address: to, fee_rate: feeRate, confirmation: signed } = options.body;
  const amountMinor = toMinor('token', amount);
  if (amountMinor === null || amountMinor <= 0n) {
    throw new Refused(reject('withdrawal-amount-invalid'));
  }
  const chain = gateway.chainFor(wallet);
  if (!chain) throw new Refused(reject('no-chain'));
  const asked = { type: 'RequestWithdrawal', amountMinor, to } as const;
  const checked = await check(gateway, chain, { ...options, asked });
  const executed = await act(gateway, options, {
    key: options.key,
    request: { command: 'withdraw', amount, to, ...(signed && { confirmed: true }) },
    async prepare() {
      // Refused here, so that a retry returns the first result, even when the confirmation has become too old.
      if (isRejection(checked)) return checked;
      const { config, version: configVersion } = gateway.config.current();
      const terms = config.withdraw;
      const isShown = feeRate === undefined || feeRate === rateNumber(terms.feeRate);
      if (!isShown) return reject('terms-changed');
      return { command: { ...asked, ...checked, terms }, configVersion };
    },
  });
  const { events, position } = settled(executed);
  const data = withdrawAnswer(events);
  assert(data, 'an executed request is an event');
  // From here on the withdrawal id correlates logs and events, up to the memo on the chain.
  const { withdrawal_id: withdrawal } = data;
  gateway.log.info(
    { correlation: options.correlation, withdrawal, position },
    'withdrawal requested',
  );
  return { data, position };
}

/** Not yet read: what the state refuses of a wallet with an account, it refuses of any address. */
const UNREAD = { address: 'wallet', makesAccount: false } as const;

/** The state first, then the signature, then the chain: what is refused costs no RPC call. */
async function check(
  gateway: Gateway,
  chain: PlayersChain,
  {
    asked,
    ...options
  }: Parameters<typeof withdraw>[1] & {
    readonly asked: Pick<RequestWithdrawal, 'type' | 'amountMinor' | 'to'>;
  },
): Promise<Omit<RequestWithdrawal, keyof typeof asked | 'terms'> | Rejection> {
  const { confirmation: signed } = options.body;
  const stream = playerStream(options.wallet);
  const { state } = await gateway.executor.currentState(playerDecider, stream);
  const terms = gateway.config.current().config.withdraw;
  const confirmation = signed && { message: signed.message, signature: '' };
  const refused =
    refuseWithdrawal(state, {
      ...asked,
      ...UNREAD,
      terms,
      ...(confirmation && { confirmation }),
    }) ?? refuseBudget(state, asked.type, await gateway.budget());
  if (refused) return refused;
  const verified = signed && verify(gateway, signed, options);
  if (isRejection(verified)) return verified;
  return { ...(await inspect(chain, asked.to)), ...(verified && { confirmation: verified }) };
}

/** The origin, the time and the signature of a confirmation; the decider compares amount and address. */
function verify(
  gateway: Gateway,
  { message, signature: text }: NonNullable<WithdrawBody['confirmation']>,
  { wallet, nowMs }: Pick<Caller, 'wallet'> & { readonly nowMs: number },
): Confirmation | Rejection {
  const confirmed = readConfirmation(message);
  const signature = readSignature(text);
  const publicKey = readWallet(wallet);
  if (confirmed?.origin !== gateway.origin.read() || !signature || !publicKey) {
    return reject('withdrawal-confirmation-invalid');
  }
  const { atMs } = confirmed;
  if (atMs < nowMs - SIGNATURE_WINDOW_MS) return reject('withdrawal-confirmation-too-old');
  if (atMs > nowMs + SIGNATURE_AHEAD_MS) return reject('withdrawal-confirmation-in-future');
  if (!isSignedBy(publicKey, message, signature)) return reject('withdrawal-confirmation-invalid');
  return { message, signature: Buffer.from(signature).toString('hex') };
}

/** The kind of a destination address on the chain. */
async function inspect(chain: PlayersChain, to: string) {
  const fault = await checkDestination(chain, to);
  if (fault) {
    return { address: fault === 'ours' ? 'ours' : 'no-wallet', makesAccount: false } as const;
  }
  const { rentLamports, isForeign } = await findReceiver(chain, to);
  if (isForeign) return { address: 'foreign', makesAccount: false } as const;
  return { address: 'wallet', makesAccount: rentLamports > 0n } as const;
}
