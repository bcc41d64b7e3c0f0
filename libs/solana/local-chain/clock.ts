import { createHash } from 'node:crypto';
import bs58 from 'bs58';

/** Slots advance with time, one block each: height and slot are equal, and downtime adds blocks. */
export interface Clock {
  /** The current block. */
  slot(): number;
  advance(blocks: number): void;
  timeSOf(slot: number): number;
  /** The blockhash of a slot, derived from the seed of the chain. */
  blockhash(slot: number): string;
  /** The slot of a blockhash, among the newest `blocks`; null for any other text. */
  slotOf(blockhash: string, blocks: number): number | null;
  /** Changes every blockhash, so that all earlier ones are invalid. */
  expireBlockhashes(): void;
  /** Stored with the chain, so that slots never decrease. */
  readonly setting: ClockSetting;
}

export interface ClockSetting {
  /** Slots that `advance` added. */
  readonly addedSlots: number;
  /** How often all blockhashes were expired. */
  readonly expired: number;
}

export interface Genesis {
  /** 32 bytes in hex: seed of this chain's blockhashes. */
  readonly seed: string;
  readonly timeMs: number;
}

/** Above 0, because lookup tables require older slots. */
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
    // If the system clock is set back, the chain pauses.
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
      // In a new chain the confirmed slot would be before the first one.
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
