import type { ExchangeBody, ExchangeResult } from '@reelbook/contract/player/wallet';
import { commandKey } from '@reelbook/event-store/idempotency-key';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import { assert } from '@reelbook/ledger/assert';
import { exchangeInForce } from '@reelbook/ledger/config/in-force';
import { AMOUNT_MAX_MINOR, type Asset, toMinor, toNumber } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { rateOf } from '@reelbook/ledger/player/exchange';
import { rateNumber } from '@reelbook/ledger/rate';
import { isRejection, type Rejection, reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import { exchangeAnswer } from '../answers/wallet.ts';
import type { Caller, Gateway } from '../context.ts';
import { playTermsOf } from './stakes.ts';

/**
 * Exchanges one asset for the other at the rates in force at the append, which also checks that the treasury covers the
 * BSM.
 */
export async function exchange(
  gateway: Gateway,
  options: Caller & { readonly body: ExchangeBody; readonly key: string | undefined },
): Promise<{ data: ExchangeResult; position: number }> {
  const { wallet, body } = options;
  const { from_type: fromAsset, to_type: toAsset, amount } = body;
  const amountMinor = readAmount(fromAsset, amount);
  if (isRejection(amountMinor)) throw new Refused(amountMinor);
  const actor = `player:${wallet}`;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, options.key),
    request: { command: 'exchange', fromAsset, toAsset, amount },
    meta: { correlation: options.correlation, actor },
    async prepare(state) {
      const { config, version: configVersion } = gateway.config.current();
      const terms = exchangeInForce(config);
      const rate = rateNumber(rateOf({ fromAsset, terms }));
      if (body.rate !== undefined && body.rate !== rate) return reject('terms-changed');
      const play = await playTermsOf(gateway, config, state);
      const command = {
        type: 'Exchange' as const,
        fromAsset,
        toAsset,
        amountMinor,
        terms,
        play,
      };
      return { command, configVersion };
    },
  });
  const { events, position } = settled(executed);
  const data = exchangeAnswer(events);
  assert(data, 'an executed exchange is an event');
  return { data, position };
}

function readAmount(asset: Asset, amount: number): bigint | Rejection {
  if (amount > toNumber(asset, AMOUNT_MAX_MINOR)) return reject('exchange-too-large');
  return toMinor(asset, amount) ?? reject('exchange-amount-invalid');
}
