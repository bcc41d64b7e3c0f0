import { ApiError } from '@reelbook/contract/client';
import type { Seeds } from '@reelbook/contract/player/fairness';
import { readJson, type TextStorage } from '@reelbook/web/storage';

/** A client seed of this browser, and the server seed that was committed when it was chosen. */
export interface ChosenSeed {
  /** Public id of the player. */
  readonly player: string;
  /** The pair that it was chosen for. */
  readonly pair: number;
  readonly serverSeedHash: string;
  readonly clientSeed: string;
}

/**
 * Why a player has no client seed of their own. `broken`: the site used or committed to another server seed than before
 * this browser chose.
 */
export type SeedFault = 'away' | 'roundOpen' | 'broken';

export class NoOwnSeed extends Error {
  override readonly name = 'NoOwnSeed';
  readonly fault: SeedFault;

  constructor(fault: SeedFault) {
    super(`the client seed is not the player's own: ${fault}`);
    this.fault = fault;
  }
}

const KEY = 'client_seeds';
/** Of all players on this device, newest first. */
const KEPT_MAX = 50;
const CLIENT_SEED_BYTES = 16;
/** Another tab, or a request without a response, may have rotated in between: then the seeds are read again. */
const ATTEMPTS_MAX = 3;

interface SeedCalls {
  read(): Promise<Seeds>;
  rotate(clientSeed: string): Promise<Seeds>;
}

/**
 * Client seeds that this browser chooses, each after it knows the hash of the server seed of the same pair. A choice is
 * stored before it is sent, and the same commitment always gets the same choice: a site that rejects rotations until it
 * likes the client seed gets no other one.
 */
export function createOwnSeeds(storage: TextStorage, calls: SeedCalls) {
  const kept = () => readJson(storage, KEY, isChoices) ?? [];

  /** Whether this browser chose the client seed of the active pair, for that pair. */
  function isChosenHere(player: string, { pair, active }: Seeds): boolean {
    return kept().some(
      (one) =>
        one.player === player &&
        one.pair === pair &&
        one.clientSeed === active.client_seed &&
        one.serverSeedHash === active.server_seed_hash,
    );
  }

  /** Chosen here, or by the player elsewhere. */
  function isOwn(player: string, seeds: Seeds): boolean {
    if (isChosenHere(player, seeds)) return true;
    const { client_seed: text, client_seed_by: by } = seeds.active;
    // Chosen here for another pair: this pair's server seed may have been drawn when the choice was known.
    const isMisplaced = kept().some((one) => one.player === player && one.clientSeed === text);
    return seeds.pair > 1 && by !== 'site' && !isMisplaced;
  }

  function choose(player: string, now: Seeds, text: string | null): ChosenSeed {
    const pair = now.pair + 1;
    const serverSeedHash = now.next.server_seed_hash;
    const isSame = (one: ChosenSeed) => one.player === player && one.pair === pair;
    const before = kept().find(isSame);
    if (before && text === null) {
      if (before.serverSeedHash !== serverSeedHash) throw new NoOwnSeed('broken');
      return before;
    }
    const choice = { player, pair, serverSeedHash, clientSeed: text ?? randomClientSeed() };
    const others = kept().filter((one) => !isSame(one));
    storage.set(KEY, JSON.stringify([choice, ...others].slice(0, KEPT_MAX)));
    return choice;
  }

  /**
   * Rotates from the seeds `now` to the client seed `text`, or to one of this browser when `text` is null. Throws
   * `NoOwnSeed` for a broken commitment, and ApiError.
   */
  async function rotate(player: string, now: Seeds, text: string | null): Promise<Seeds> {
    const choice = choose(player, now, text);
    const after = await calls.rotate(choice.clientSeed);
    if (after.pair === choice.pair && !isChosenHere(player, after)) throw new NoOwnSeed('broken');
    return after;
  }

  async function ensure(player: string): Promise<Seeds> {
    let seeds = await calls.read();
    for (let attempt = 0; !isOwn(player, seeds); attempt++) {
      if (attempt === ATTEMPTS_MAX) throw new NoOwnSeed('away');
      seeds = await rotate(player, seeds, null);
    }
    return seeds;
  }

  return {
    isChosenHere,
    isOwn,
    rotate,
    /** Returns seeds that are the player's own, after a rotation if necessary. Throws `NoOwnSeed`. */
    async ensure(player: string): Promise<Seeds> {
      try {
        // One tab at a time. A browser without locks may rotate twice, which only uses up a pair of seeds.
        const locks = globalThis.navigator?.locks;
        return await (locks ? locks.request(KEY, () => ensure(player)) : ensure(player));
      } catch (error) {
        throw error instanceof NoOwnSeed ? error : new NoOwnSeed(faultOf(error));
      }
    },
  };
}

/** Whether the site broke its commitment: a retry does not help. */
export function isBroken(error: unknown): boolean {
  return error instanceof NoOwnSeed && error.fault === 'broken';
}

function faultOf(error: unknown): SeedFault {
  const isOpen = error instanceof ApiError && error.data?.error === 'rotate-round-open';
  return isOpen ? 'roundOpen' : 'away';
}

/** A random seed, 32 hex digits. */
export function randomClientSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CLIENT_SEED_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function isChoices(value: unknown): value is ChosenSeed[] {
  return Array.isArray(value) && value.every((one) => typeof one?.clientSeed === 'string');
}
