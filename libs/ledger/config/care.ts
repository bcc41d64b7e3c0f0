import type { Role } from '../operators/roles.ts';
import { ADMINS_BY_SHELL, isShell } from '../proposals.ts';
import type { Rate } from '../rate.ts';
import type { Config, GameConfig } from './config.ts';
import { listConfig } from './edit.ts';

/** What a change of a value takes: one person, two, or two and the wait between them. */
export const CARES = ['one', 'two', 'wait'] as const;
export type Care = (typeof CARES)[number];

/**
 * Which way a value is tighter: that way one admin changes it at once. `off`: a switch, which goes on again by two, without the wait.
 * `neither`: both ways take two and the wait. `free`: no money depends on it.
 */
type Tighter = 'lower' | 'higher' | 'off' | 'neither' | 'free';
type Directions<T> = T extends bigint | number | string | boolean | null | Rate
  ? Tighter
  : { readonly [Key in keyof T]: Directions<T[Key]> };

const OF_A_GAME: Directions<GameConfig> = {
  rules: 'neither',
  // The mini-games charge exactly this.
  minStakeMinor: 'neither',
  maxStakeMinor: 'lower',
  maxLines: 'lower',
  enabled: 'off',
};

/** The compiler asks for every value here. What a path does not name takes two and the wait. */
const DIRECTIONS: Directions<Omit<Config, 'games'>> = {
  welcomePointsMinor: 'lower',
  bigWinMultiple: 'free',
  exchange: { enabled: 'off', pointsToToken: 'neither', tokenToPoints: 'neither' },
  withdraw: {
    feeRate: 'neither',
    enabled: 'off',
    minTokenMinor: 'higher',
    playerHourMaxCount: 'lower',
    automaticMaxTokenMinor: 'lower',
    playerHourMaxTokenMinor: 'lower',
    playerDayMaxTokenMinor: 'lower',
    hourMaxTokenMinor: 'lower',
    dayMaxTokenMinor: 'lower',
    newAccountMinTokenMinor: 'higher',
    lowWaterLamports: 'higher',
    // 0 is no cap, so no way is tighter.
    hotWalletMaxTokenMinor: 'neither',
  },
  deposit: { minTokenMinor: 'higher', maxTokenMinor: 'lower' },
  token: { decimals: 'neither', contract: 'neither', projectWallet: 'neither' },
  protection: { realityCheckMinutes: 'lower' },
  play: { enabled: 'off' },
  adjust: {
    singleOperatorMaxPointsMinor: 'lower',
    singleOperatorMaxTokenMinor: 'lower',
    operatorDayMaxPointsMinor: 'lower',
    operatorDayMaxTokenMinor: 'lower',
  },
};

interface ValueChange {
  readonly path: string;
  /** Undefined where there was, or is, no such value. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** What differs, values that came or went included. */
function differences(before: Config | null, after: Config): readonly ValueChange[] {
  const texts = (config: Config | null) =>
    new Map(config ? listConfig(config).map(({ path, text }) => [path, text]) : []);
  const [was, is] = [texts(before), texts(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((one) => one.before !== one.after);
}

export function careOf(before: Config | null, after: Config): Care {
  const cares = differences(before, after).map(careOfValue);
  return cares.includes('wait') ? 'wait' : cares.includes('two') ? 'two' : 'one';
}

function careOfValue({ path, before, after }: ValueChange): Care {
  if (before === undefined || after === undefined) return 'wait';
  switch (directionOf(path)) {
    case 'free':
      return 'one';
    case 'off':
      return after === 'false' ? 'one' : 'two';
    case 'lower':
      return isLess(after, before) ? 'one' : 'wait';
    case 'higher':
      return isLess(before, after) ? 'one' : 'wait';
    default:
      return 'wait';
  }
}

/** Undefined for a path that nothing is known of. */
export function directionOf(path: string): Tighter | undefined {
  const [first = '', ...rest] = path.split('.');
  let part: unknown =
    first === 'games' ? OF_A_GAME : (DIRECTIONS as Record<string, unknown>)[first];
  for (const key of first === 'games' ? rest.slice(1) : rest) {
    part =
      typeof part === 'object' &&
      part !== null &&
      Object.hasOwn(part, key) &&
      Reflect.get(part, key);
  }
  return typeof part === 'string' ? (part as Tighter) : undefined;
}

/** Whole numbers as `listConfig` writes them; `null` is no bound at all, so more than any. Anything else is never less. */
function isLess(one: string, other: string): boolean {
  if (!WHOLE.test(one) || !(WHOLE.test(other) || other === 'null')) return false;
  return other === 'null' || BigInt(one) < BigInt(other);
}

const WHOLE = /^\d+$/;

/** Operators turn switches, admins change everything. */
export function leastFor(paths: readonly string[]): Role {
  return paths.every((path) => directionOf(path) === 'off') ? 'operator' : 'admin';
}

/**
 * Whether a change needs no second person. The shell alone makes the first configuration, changes it until two admins were
 * made, adds the games that a build brings, and names the chain once.
 */
export function mayChangeAlone(
  before: Config | null,
  after: Config,
  { by, adminsEver }: { readonly by: string; readonly adminsEver: number },
): boolean {
  if (before && careOf(before, after) === 'one') return true;
  if (!isShell(by)) return false;
  if (!before || adminsEver < ADMINS_BY_SHELL) return true;
  return differences(before, after).every(
    (one) => isOfNewGame(before, one.path) || isFirstChain(before, one),
  );
}

function isOfNewGame({ games }: Config, path: string): boolean {
  const [first, game = ''] = path.split('.');
  return first === 'games' && !Object.hasOwn(games, game);
}

const isFirstChain = (before: Config, { path }: ValueChange) =>
  before.token.contract === null && ['token.contract', 'token.projectWallet'].includes(path);
