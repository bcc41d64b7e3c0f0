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
import { playerDecider } from '@reelbook/ledger/player/decide';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { checkDestination, findReceiver } from '@reelbook/solana/destination';
import type { Chain } from '@reelbook/solana/rpc';
import { withdrawAnswer } from '../answers/payments.ts';
import type { Caller, Gateway } from '../context.ts';

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
  const { amount, to_address: to, confirmation: signed } = options.body;
  const amountMinor = toMinor('token', amount);
  if (amountMinor === null || amountMinor <= 0n) {
    throw new Refused(reject('withdrawal-amount-invalid'));
  }
  const chain = gateway.chain?.chain;
  if (!chain) throw new Refused(reject('no-chain'));
  const target = await inspect(chain, to);
  const actor = `player:${wallet}`;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, options.key),
    request: { command: 'withdraw', amount, to, ...(signed && { confirmed: true }) },
    meta: { correlation: options.correlation, actor },
    async prepare() {
      const { config, version: configVersion } = gateway.config.current();
      const terms = config.withdraw;
      // Here, so that a retry returns the first result even when the confirmation has become too old.
      const confirmation = signed && verify(gateway, signed, options);
      if (isRejection(confirmation)) return confirmation;
      const command = {
        ...({ type: 'RequestWithdrawal', amountMinor, to, ...target, terms } as const),
        ...(confirmation && { confirmation }),
      };
      return { command, configVersion };
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
async function inspect(chain: Chain, to: string) {
  const fault = await checkDestination(chain, to);
  if (fault) {
    return { address: fault === 'ours' ? 'ours' : 'no-wallet', makesAccount: false } as const;
  }
  const { rentLamports, isForeign } = await findReceiver(chain, to);
  if (isForeign) return { address: 'foreign', makesAccount: false } as const;
  return { address: 'wallet', makesAccount: rentLamports > 0n } as const;
}
