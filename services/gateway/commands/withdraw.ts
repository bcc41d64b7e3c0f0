import type { WithdrawBody, WithdrawResult } from '@reelbook/contract/player/wallet';
import { commandKey } from '@reelbook/event-store/idempotency-key';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import { assert } from '@reelbook/ledger/assert';
import { toMinor } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { reject } from '@reelbook/ledger/rejections';
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
  options: Caller & { readonly body: WithdrawBody; readonly key: string | undefined },
): Promise<{ data: WithdrawResult; position: number }> {
  const { wallet } = options;
  const { amount, to_address: to } = options.body;
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
    request: { command: 'withdraw', amount, to },
    meta: { correlation: options.correlation, actor },
    async prepare() {
      const { config, version: configVersion } = gateway.config.current();
      const terms = config.withdraw;
      const command = { type: 'RequestWithdrawal' as const, amountMinor, to, ...target, terms };
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

/** The kind of a destination address on the chain. */
async function inspect(chain: Chain, to: string) {
  const fault = await checkDestination(chain, to);
  if (fault) {
    return { address: fault === 'ours' ? 'ours' : 'no-wallet', makesAccount: false } as const;
  }
  const { rentLamports } = await findReceiver(chain, to);
  return { address: 'wallet', makesAccount: rentLamports > 0n } as const;
}
