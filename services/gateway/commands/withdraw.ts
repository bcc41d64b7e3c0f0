import { readSignature } from '@reelbook/contract/login';
import type { WithdrawBody, WithdrawResult } from '@reelbook/contract/player/wallet';
import { commandKey } from '@reelbook/event-store/idempotency-key';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import { isSignedBy, readWallet } from '@reelbook/http/signature';
import { assert } from '@reelbook/ledger/assert';
import { toMinor } from '@reelbook/ledger/money';
import {
  type Confirmation,
  readConfirmation,
  SIGNATURE_AHEAD_MS,
  SIGNATURE_WINDOW_MS,
} from '@reelbook/ledger/player/confirmation';
import { playerDecider, refuseBudget } from '@reelbook/ledger/player/decide';
import type { RequestWithdrawal } from '@reelbook/ledger/player/payment-commands';
import { refuseWithdrawal } from '@reelbook/ledger/player/withdrawal';
import { rateNumber } from '@reelbook/ledger/rate';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { checkDestination, findReceiver } from '@reelbook/solana/destination';
import { withdrawAnswer } from '../answers/payments.ts';
import type { Caller, Gateway } from '../context.ts';
import type { PlayersChain } from '../limits.ts';

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
  const actor = `player:${wallet}`;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, options.key),
    request: { command: 'withdraw', amount, to, ...(signed && { confirmed: true }) },
    meta: { correlation: options.correlation, actor },
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
