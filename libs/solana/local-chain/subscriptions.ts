import type { WebSocket } from 'ws';
import type { Bank } from './bank.ts';
import { accountJson, addressOf, type Encoding } from './encode.ts';
import { invalid } from './errors.ts';
import { levelOf, type Method, optionsOf } from './methods.ts';

/** Limit of subscriptions of one socket. */
const PER_SOCKET_MAX = 1_000;

/** Checked at every block; null if there is nothing to notify. */
interface Watch {
  readonly notification: string;
  look(): { readonly slot: number; readonly value: unknown } | null;
  /** Ends after the first notification. */
  readonly once: boolean;
}

export interface Subscriptions {
  /** The methods of that socket. */
  methods(socket: WebSocket): Readonly<Record<string, Method>>;
  /** Checks every subscription once. */
  notify(): void;
  forget(socket: WebSocket): void;
}

let lastId = 0;

export function openSubscriptions(bank: Bank): Subscriptions {
  const watches = new Map<WebSocket, Map<number, Watch>>();
  const add = (socket: WebSocket, watch: Watch): number => {
    const own = watches.get(socket) ?? new Map<number, Watch>();
    if (own.size >= PER_SOCKET_MAX) throw invalid('too many subscriptions');
    watches.set(socket, own);
    lastId += 1;
    own.set(lastId, watch);
    return lastId;
  };
  return {
    methods(socket) {
      const unsubscribe: Method = ([id]) => {
        if (watches.get(socket)?.delete(id as number)) return true;
        throw invalid('Invalid subscription id.');
      };
      return {
        signatureSubscribe: (params) => add(socket, signatureWatch(bank, params)),
        accountSubscribe: (params) => add(socket, accountWatch(bank, params)),
        slotSubscribe: () => add(socket, slotWatch(bank)),
        signatureUnsubscribe: unsubscribe,
        accountUnsubscribe: unsubscribe,
        slotUnsubscribe: unsubscribe,
      };
    },
    notify() {
      for (const [socket, own] of watches) {
        for (const [subscription, watch] of own) {
          const seen = watch.look();
          if (!seen) continue;
          if (watch.once) own.delete(subscription);
          const isSlot = watch.notification === 'slotNotification';
          const result = isSlot ? seen.value : { context: { slot: seen.slot }, value: seen.value };
          socket.send(
            JSON.stringify({
              jsonrpc: '2.0',
              method: watch.notification,
              params: { subscription, result },
            }),
          );
        }
      }
    },
    forget: (socket) => void watches.delete(socket),
  };
}

function signatureWatch(bank: Bank, params: readonly unknown[]): Watch {
  const [signature] = params;
  const level = levelOf(optionsOf(params, 1));
  if (typeof signature !== 'string') throw invalid('Invalid param: Invalid');
  return {
    notification: 'signatureNotification',
    once: true,
    look() {
      const landed = bank.find(signature);
      const slot = bank.slotAt(level);
      return landed && landed.slot <= slot ? { slot, value: { err: landed.error } } : null;
    },
  };
}

function accountWatch(bank: Bank, params: readonly unknown[]): Watch {
  const address = addressOf(params[0]);
  const options = optionsOf(params, 1);
  const level = levelOf(options);
  const encoding = (options.encoding ?? 'base58') as Encoding;
  const read = (one: string) => bank.account(one, level);
  const show = () => accountJson(read(address), encoding, read);
  let shown = JSON.stringify(show());
  return {
    notification: 'accountNotification',
    once: false,
    look() {
      const value = show();
      const text = JSON.stringify(value);
      if (text === shown) return null;
      shown = text;
      return { slot: bank.slotAt(level), value };
    },
  };
}

function slotWatch(bank: Bank): Watch {
  let notified = bank.slotAt('processed');
  return {
    notification: 'slotNotification',
    once: false,
    look() {
      const slot = bank.slotAt('processed');
      if (slot === notified) return null;
      notified = slot;
      return { slot, value: { slot, parent: slot - 1, root: bank.slotAt('finalized') } };
    },
  };
}
