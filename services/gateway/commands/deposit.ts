import type {
  DepositBody,
  DepositIntentBody,
  DepositIntentResult,
  DepositResult,
} from '@reelbook/contract/player/wallet';
import { Refused } from '@reelbook/http/refused';
import type { Config } from '@reelbook/ledger/config/config';
import { toMinor, toNumber } from '@reelbook/ledger/money';
import { refuseDepositIntent } from '@reelbook/ledger/player/protection-state';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { type Movement, readMovement } from '@reelbook/payments/movements';
import {
  REPORTS_PENDING_MAX,
  type Report,
  recordReport,
  sumOnItsWay,
} from '@reelbook/payments/reports';
import { faultWords } from '@reelbook/solana/fault-words';
import type { Chain } from '@reelbook/solana/rpc';
import { verifyTransfer } from '@reelbook/solana/verify-transfer';
import bs58 from 'bs58';
import { depositTextOf } from '../answers/payments.ts';
import { balancesAnswer } from '../answers/player.ts';
import type { Caller, Gateway } from '../context.ts';
import { readPlayer } from '../reads/player.ts';

const SIGNATURE_BYTES = 64;
/** The client waits 10 s: a look at the chain may take this much of it, then the answer is `pending`. */
const LOOK_MAX_MS = 3_000;

/**
 * Whether the player may deposit so much now. Pages ask before the wallet sends: what has arrived is credited, whatever
 * limits and exclusion say. Asking promises nothing; what the player reported and is not final yet counts as arrived.
 */
export async function depositIntent(
  gateway: Gateway,
  { wallet, body }: Caller & { readonly body: DepositIntentBody },
): Promise<{ data: DepositIntentResult }> {
  const amountMinor = readAmount(body.amount, gateway.config.current().config);
  if (isRejection(amountMinor)) throw new Refused(amountMinor);
  // Before the state: what becomes final in between counts twice and not never.
  const onItsWayMinor = await sumOnItsWay(gateway.pool, wallet);
  await refuseIntent(gateway, { wallet, amountMinor, onItsWayMinor });
  return { data: { success: true } };
}

async function refuseIntent(
  gateway: Gateway,
  o: { readonly wallet: string; readonly amountMinor: bigint; readonly onItsWayMinor: bigint },
): Promise<void> {
  const { state } = await readPlayer(gateway, o.wallet);
  const refused = refuseDepositIntent(state, { ...o, timeMs: await gateway.clock.agreedMs() });
  if (refused) throw new Refused(refused);
}

/**
 * Takes a player's word for a transaction, and looks at it once: what is certainly no deposit of this player is said at
 * once, all else is `pending` until the cashier has found it final on the chain. Credits nothing.
 */
export async function deposit(
  gateway: Gateway,
  o: Caller & { readonly body: DepositBody },
): Promise<{ data: DepositResult }> {
  const { wallet, body } = o;
  const { pool } = gateway;
  const chain = gateway.chain?.chain;
  const signature = readSignature(body.tx_hash);
  const amountMinor = readAmount(body.amount, gateway.config.current().config);
  if (signature === null) throw new Refused(reject('deposit-hash-invalid'));
  if (isRejection(amountMinor)) throw new Refused(amountMinor);
  if (!chain) throw new Refused(reject('no-chain'));
  const movement = await readMovement(pool, signature);
  const known = movement && knownBy(movement, wallet);
  if (!known) {
    await refuseIntent(gateway, { wallet, amountMinor, onItsWayMinor: 0n });
    const fault = await findFault(chain, { signature, wallet });
    if (fault) throw new Refused(reject('deposit-not-ours', { fault }));
  }
  const report = await recordReport(pool, { wallet, signature, amountMinor });
  if (!report) throw new Refused(reject('deposits-too-many', { max: REPORTS_PENDING_MAX }));
  gateway.log.info({ correlation: o.correlation, transaction: signature }, 'a deposit is reported');
  return { data: await answer(gateway, wallet, known ? { ...report, ...known } : report) };
}

async function answer(gateway: Gateway, wallet: string, report: Report): Promise<DepositResult> {
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

/** What the cashier has found already. Anybody else's deposit is a refusal. */
function knownBy(
  { kind, sender, recorded, deltaMinor: amountMinor }: Movement,
  wallet: string,
): Pick<Report, 'status' | 'amountMinor'> {
  if (kind === 'deposit' && sender === wallet) {
    return { status: recorded ? 'completed' : 'pending', amountMinor };
  }
  if (kind === 'unmatched') return { status: 'review', amountMinor };
  const fault = kind === 'deposit' ? faultWords['wrong-sender'] : faultWords.outgoing;
  throw new Refused(reject('deposit-not-ours', { fault }));
}

/** Why the transaction is no deposit of that wallet, as far as the chain can be asked in time; null: it may be. */
async function findFault(
  chain: Chain,
  { signature, wallet }: { readonly signature: string; readonly wallet: string },
): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LOOK_MAX_MS);
  });
  const look = async () => {
    const [terms, transaction] = await Promise.all([
      chain.terms(),
      chain.transaction(signature, 'confirmed'),
    ]);
    if (!transaction) return null;
    const verdict = verifyTransfer(transaction, terms);
    if (verdict.kind === 'nothing') return faultWords[verdict.reason];
    const theirs = verdict.kind === 'credit' && verdict.sender !== wallet;
    return theirs ? faultWords['wrong-sender'] : null;
  };
  try {
    // A chain that cannot be asked now is the cashier's to ask again: nothing is refused for it.
    return await Promise.race([look().catch(() => null), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The one way to write 64 bytes in base58, or null. */
function readSignature(text: string): string | null {
  const bytes = bs58.decodeUnsafe(text.trim());
  return bytes?.length === SIGNATURE_BYTES ? bs58.encode(bytes) : null;
}

function readAmount(amount: number, { deposit: bounds }: Config): bigint | Rejection {
  const { minTokenMinor, maxTokenMinor } = bounds;
  if (amount > toNumber('token', maxTokenMinor)) {
    return reject('deposit-above-maximum', { tokenMinor: maxTokenMinor });
  }
  if (amount < toNumber('token', minTokenMinor)) {
    return reject('deposit-below-minimum', { tokenMinor: minTokenMinor });
  }
  return toMinor('token', amount) ?? reject('deposit-amount-invalid');
}
