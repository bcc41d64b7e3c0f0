import { LRUCache } from 'lru-cache';
import type { GatewayChain } from './context.ts';

const KEPT_MAX = 10_000;
/** One look-up of a transaction that is not confirmed yet, for all its readers. */
const RETRY_AFTER_MS = 2_000;
/** A slow node does not delay the response: a later one shows the confirmation. */
const WAIT_MS = 1_000;

/** Which transactions of withdrawals are confirmed on the chain, before they are final. */
export interface Confirmations {
  has(signature: string | null): Promise<boolean>;
}

export function openConfirmations(chain: GatewayChain['chain'] | null): Confirmations {
  const confirmed = new LRUCache<string, { readonly is: boolean }>({
    max: KEPT_MAX,
    async fetchMethod(signature, _, { options }) {
      const found = await chain?.transaction(signature, 'confirmed').catch(() => null);
      const is = found !== null && found !== undefined;
      options.ttl = is ? 0 : RETRY_AFTER_MS;
      return { is };
    },
  });
  return {
    async has(signature) {
      if (signature === null || chain === null) return false;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), WAIT_MS);
      });
      const found = await Promise.race([confirmed.fetch(signature), late]);
      clearTimeout(timer);
      return found?.is === true;
    },
  };
}
