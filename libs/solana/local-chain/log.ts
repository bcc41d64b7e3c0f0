import { type LandedTransaction, messageOf, type Write } from './record.ts';

/** Transactions in the order of landing, indexed by signature and address. */
export function openLog(landed: readonly LandedTransaction[]) {
  const list: LandedTransaction[] = [];
  const bySignature = new Map<string, LandedTransaction>();
  const byAddress = new Map<string, LandedTransaction[]>();
  const add = (one: LandedTransaction) => {
    list.push(one);
    bySignature.set(one.signature, one);
    for (const key of keysOf(one)) {
      const own = byAddress.get(key) ?? [];
      own.push(one);
      byAddress.set(key, own);
    }
  };
  for (const one of landed) add(one);
  return {
    add,
    find: (signature: string) => bySignature.get(signature) ?? null,
    list: (address?: string) => (address === undefined ? list : (byAddress.get(address) ?? [])),
    /** The first write to that address after the slot. */
    firstWriteAfter(slot: number, address: string): Write | null {
      let first: Write | null = null;
      const own = byAddress.get(address) ?? [];
      for (let index = own.length - 1; index >= 0; index--) {
        const one = own[index];
        if (!one || one.slot <= slot) break;
        first = one.writes.find((write) => write.address === address) ?? first;
      }
      return first;
    },
    /** Removes that transaction and all later ones. */
    cutAt(signature: string): readonly LandedTransaction[] {
      const cut = list.splice(list.findIndex((one) => one.signature === signature));
      for (const one of cut) {
        bySignature.delete(one.signature);
        for (const key of keysOf(one)) byAddress.get(key)?.pop();
      }
      return cut;
    },
  };
}

/** The distinct addresses of a transaction. */
function keysOf(one: LandedTransaction): readonly string[] {
  const known = keysKnown.get(one) ?? [
    ...messageOf(one).staticAccountKeys.map((key) => key.toBase58()),
    ...one.loaded.writable,
    ...one.loaded.readonly,
  ];
  keysKnown.set(one, known);
  return known;
}
const keysKnown = new WeakMap<LandedTransaction, readonly string[]>();
