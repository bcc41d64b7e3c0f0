import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** Slots come by time, one block each, so that height and slot are one number and downtime counts as blocks passing. */
export interface Clock {
  /** The block that is being filled. */
  slot(): number;
  advance(blocks: number): void;
  timeSOf(slot: number): number;
  /** Every slot has one, told by the seed of the chain: nothing has to be remembered. */
  blockhash(slot: number): string;
  /** The slot whose blockhash it is, among the youngest `blocks`; null for any other text. */
  slotOf(blockhash: string, blocks: number): number | null;
  /** Makes every blockhash another one, so that none given out so far is known. */
  expireBlockhashes(): void;
  /** Kept with the chain, so that time never runs backwards. */
  readonly setting: ClockSetting;
}

export interface ClockSetting {
  /** Slots that `advance` added. */
  readonly addedSlots: number;
  /** How often the blockhashes expired at once. */
  readonly expired: number;
}

export interface Genesis {
  /** 32 bytes in hex: what makes this chain's blockhashes its own. */
  readonly seed: string;
  readonly timeMs: number;
}

/** Fees and rent apart, nothing happened before: a first slot above 0, as lookup tables want older ones. */
const FIRST_SLOT = 1_000;

export function openClock(o: {
  readonly genesis: Genesis;
  readonly slotMs: number;
  readonly manual: boolean;
  readonly setting: ClockSetting;
}): Clock {
  let { addedSlots: added, expired } = o.setting;
  let newest = 0;
  const hashes = new Map<number, string>();
  const blockhash = (slot: number): string => {
    const known = hashes.get(slot);
    if (known !== undefined) return known;
    const text = `${o.genesis.seed} ${expired} ${slot}`;
    const hash = bs58.encode(createHash('sha256').update(text).digest());
    hashes.set(slot, hash);
    return hash;
  };
  const slot = () => {
    const passed = o.manual ? 0 : Math.floor((Date.now() - o.genesis.timeMs) / o.slotMs);
    // A clock of the machine that is set back stops the chain; it does not turn it.
    newest = Math.max(newest, FIRST_SLOT + added + passed);
    return newest;
  };
  return {
    slot,
    blockhash,
    advance(blocks) {
      added += blocks;
    },
    timeSOf: (at) => Math.floor((o.genesis.timeMs + (at - FIRST_SLOT) * o.slotMs) / 1_000),
    slotOf(text, blocks) {
      const last = slot();
      // The confirmed slot of a chain that has just begun is before its first one.
      const first = Math.max(0, last - blocks);
      for (const old of hashes.keys()) if (old < first) hashes.delete(old);
      for (let at = last; at >= first; at--) if (blockhash(at) === text) return at;
      return null;
    },
    expireBlockhashes() {
      expired += 1;
      hashes.clear();
    },
    get setting() {
      return { addedSlots: added, expired };
    },
  };
}
