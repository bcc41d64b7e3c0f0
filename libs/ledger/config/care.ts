import type { Rate } from '../money.ts';
import { ADMINS_BY_SHELL, isShell, type Role } from '../operators/roles.ts';
import type { Config, GameConfig } from './config.ts';
import { listConfig } from './edit.ts';

/**
 * The approval that a change of a value needs: one person, or two people and a wait between them. `restore`: two people and
 * no wait, back to what was in force before one person changed it alone, or to a tighter value.
 */
const CARES = ['one', 'restore', 'wait'] as const;
export type Care = (typeof CARES)[number];

/**
 * The direction in which a value is tighter: one admin alone makes such a change. `off`: a switch, which one operator turns
 * off. `neither`: both directions need two people and the wait. `free`: no money depends on it.
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

/** The compiler requires every value here. A path without an entry needs two people and the wait. */
const DIRECTIONS: Directions<Omit<Config, 'games'>> = {
  welcomePointsMinor: 'lower',
  bigWinMultiple: 'free',
  bigWinMinMinor: 'free',
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
    // 0 is no cap, so neither direction is tighter.
    hotWalletMaxTokenMinor: 'neither',
  },
  deposit: { minTokenMinor: 'higher', maxTokenMinor: 'lower', dustBelowTokenMinor: 'lower' },
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
  /** Undefined where the value does not exist. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** The values that differ, including added and removed ones. */
function differences(before: Config | null, after: Config): readonly ValueChange[] {
  const texts = (config: Config | null) =>
    new Map(config ? listConfig(config).map(({ path, text }) => [path, text]) : []);
  const [was, is] = [texts(before), texts(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ path, before: was.get(path), after: is.get(path) }))
    .filter((one) => one.before !== one.after);
}

/** Values that were in force before one person changed them alone, each path once. */
export type AgreedValues = readonly { readonly path: string; readonly text: string }[];

export function careOf(before: Config | null, after: Config, agreed: AgreedValues): Care {
  const cares = differences(before, after).map((one) => careWith(one, agreed));
  return CARES.findLast((care) => cares.includes(care)) ?? 'one';
}

function careWith(change: ValueChange, agreed: AgreedValues): Care {
  const care = careOfValue(change);
  const { path, after } = change;
  const was = agreed.find((one) => one.path === path)?.text;
  if (care === 'one' || was === undefined) return care;
  return after === was || careOfValue({ path, before: was, after }) === 'one' ? 'restore' : care;
}

/** The values to which two people may go back, after a change. */
export function agreedAfter(
  agreed: AgreedValues,
  {
    before,
    after,
    isAlone,
  }: { readonly before: Config; readonly after: Config; readonly isAlone: boolean },
): AgreedValues {
  const changed = differences(before, after);
  const others = agreed.filter(({ path }) => !changed.some((one) => one.path === path));
  if (!isAlone) return others;
  const kept = changed.flatMap((change) => {
    const { path, before: was, after: is } = change;
    // What the shell may loosen alone, such as the addresses of the token, does not come back without the wait.
    const own = careOfValue(change) === 'one' ? was : undefined;
    const text = agreed.find((one) => one.path === path)?.text ?? own;
    return text === undefined || text === is ? [] : [{ path, text }];
  });
  return [...others, ...kept];
}

function careOfValue({ path, before, after }: ValueChange): Care {
  if (before === undefined || after === undefined) return 'wait';
  switch (directionOf(path)) {
    case 'free':
      return 'one';
    case 'off':
      return after === 'false' ? 'one' : 'wait';
    case 'lower':
      return isLess(after, before) ? 'one' : 'wait';
    case 'higher':
      return isLess(before, after) ? 'one' : 'wait';
    default:
      return 'wait';
  }
}

/** Undefined for an unknown path. */
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

/** Compares integers as `listConfig` writes them; `null` is no limit, so more than any. Anything else is never less. */
function isLess(one: string, other: string): boolean {
  if (!INTEGER.test(one) || !(INTEGER.test(other) || other === 'null')) return false;
  return other === 'null' || BigInt(one) < BigInt(other);
}

const INTEGER = /^\d+$/;

/** Operators may change switches, admins everything. */
export function leastFor(paths: readonly string[]): Role {
  return paths.every((path) => directionOf(path) === 'off') ? 'operator' : 'admin';
}

/**
 * Whether a change needs no second person. The shell alone creates the first configuration, changes it until two admins
 * have been added, adds the games of a new build, and sets the chain once.
 */
export function mayChangeAlone(
  before: Config | null,
  after: Config,
  { by, adminsEver }: { readonly by: string; readonly adminsEver: number },
): boolean {
  if (before && careOf(before, after, []) === 'one') return true;
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
