import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { LRUCache } from 'lru-cache';

/** Decrypted active seeds kept in memory: one read and one decryption per pair, not per bet. */
const SEEDS_KEPT_MAX = 50_000;

/** The same vault, remembering what it opened. */
export function rememberSeeds(vault: SeedVault): SeedVault {
  const opened = new LRUCache<string, string>({
    max: SEEDS_KEPT_MAX,
    fetchMethod: (hash) => vault.open(hash),
  });
  return {
    create: () => vault.create(),
    findFaults: (hashes) => vault.findFaults(hashes),
    async open(hash) {
      return opened.get(hash) ?? (await opened.fetch(hash)) ?? (await vault.open(hash));
    },
  };
}
