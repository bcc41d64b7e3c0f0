import { LRUCache } from 'lru-cache';
import type { Gateway } from './context.ts';
import type { PlayersChain } from './limits.ts';

const KEPT_MAX = 10_000;
/** One look-up of a transaction that is not confirmed yet, for all its readers. */
const RETRY_AFTER_MS = 2_000;
/** A slow node does not delay the response: a later one shows the confirmation. */
const WAIT_MS = 1_000;

/** Which transactions of withdrawals are confirmed on the chain, before they are final. */
export interface Confirmations {
  /** `by` is the player whose reads of the chain count; above the limit it is not confirmed yet. */
  has(signature: string | null, by: string): Promise<boolean>;
}

export function openConfirmations({ chainFor }: Pick<Gateway, 'chainFor'>): Confirmations {
  const confirmed = new LRUCache<string, { readonly is: boolean }, PlayersChain>({
    max: KEPT_MAX,
    async fetchMethod(signature, _, { options, context: chain }) {
      const is = (await chain.transaction(signature, 'confirmed').catch(() => null)) !== null;
      options.ttl = is ? 0 : RETRY_AFTER_MS;
      return { is };
    },
  });
  return {
    async has(signature, by) {
      const chain = chainFor(by);
      if (signature === null || chain === null) return false;
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<undefined>((resolve) => {
        timer = setTimeout(() => resolve(undefined), WAIT_MS);
      });
      const found = await Promise.race([confirmed.fetch(signature, { context: chain }), late]);
      clearTimeout(timer);
      return found?.is === true;
    },
  };
}
