import { assert } from '../assert.ts';
import { AMOUNT_MAX_MINOR, type Asset, exchangedMinor, isRate, type Rate } from '../money.ts';
import { type Rejection, reject } from '../rejections.ts';
import type { Balances } from './balances.ts';
import type { Exchange } from './commands.ts';
import type { Exchanged } from './events.ts';
import { nextNotice } from './notices.ts';
import { NO_PLAY_TERMS, refuseBuyingPoints, timeOf } from './protection-state.ts';
import { balancesOf, isRegistered, type PlayerState } from './state.ts';

const BALANCE_OF = { points: 'pointsMinor', token: 'tokenMinor' } as const;

/** All guards of an exchange. */
export function refuseExchange(state: PlayerState, command: Exchange): Rejection | null {
  const { fromAsset, toAsset, amountMinor, terms } = command;
  if (!isRegistered(state)) return reject('not-registered');
  if (!terms.enabled) return reject('exchange-switched-off');
  if (fromAsset === toAsset) return reject('exchange-same-asset');
  if (amountMinor <= 0n) return reject('exchange-amount-invalid');
  if (toAsset === 'points') {
    const refused = refuseBuyingPoints(state, command.play ?? NO_PLAY_TERMS);
    if (refused) return refused;
  }
  const owned = state[BALANCE_OF[fromAsset]];
  if (amountMinor > owned) {
    return fromAsset === 'points'
      ? reject('exchange-insufficient-points', { pointsMinor: owned })
      : reject('exchange-insufficient-token', { tokenMinor: owned });
  }
  if (amountMinor > AMOUNT_MAX_MINOR) return reject('exchange-too-large');
  const rate = rateOf(command);
  const toMinor = exchangedMinor({ fromAsset, toAsset, amountMinor, rate });
  if (toMinor === 0n) return reject('exchange-too-small');
  if (toMinor > AMOUNT_MAX_MINOR) return reject('exchange-too-large');
  return null;
}

/** The rate of an exchange, by its direction. */
export function rateOf({ fromAsset, terms }: Pick<Exchange, 'fromAsset' | 'terms'>): Rate {
  return fromAsset === 'points' ? terms.pointsToToken : terms.tokenToPoints;
}

/** Exchanges one asset for the other. A remainder below a minor unit stays with the house. */
export function exchange(state: PlayerState, command: Exchange): readonly [Exchanged] | Rejection {
  const refused = refuseExchange(state, command);
  if (refused) return refused;
  const { fromAsset, toAsset, amountMinor: fromMinor } = command;
  const rate = rateOf(command);
  assert(isRate(rate), 'a rate is a fraction');
  const toMinor = exchangedMinor({ fromAsset, toAsset, amountMinor: fromMinor, rate });
  const after = move(move(balancesOf(state), fromAsset, -fromMinor), toAsset, toMinor);
  const notice = nextNotice(state);
  const time = toAsset === 'points' ? timeOf(state, command.play ?? NO_PLAY_TERMS) : {};
  const data = { fromAsset, toAsset, fromMinor, toMinor, rate, ...time, after, notice };
  return [{ type: 'Exchanged', data }];
}

function move(owned: Balances, asset: Asset, deltaMinor: bigint): Balances {
  const key = BALANCE_OF[asset];
  return { ...owned, [key]: owned[key] + deltaMinor };
}
