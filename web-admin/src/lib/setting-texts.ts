/** Configuration values as operators type them: amounts in points or BSM. The ledger has minor units. */
import type {
  AdjustConfig,
  Config,
  ExchangeConfig,
  GameConfig,
  TokenConfig,
  WithdrawConfig,
} from '@reelbook/ledger/config/config';
import type { Asset } from '@reelbook/ledger/money';
import { readAmount, typedAmount } from '@reelbook/web/amount';
import { decimalText, unitOf } from './amounts.ts';
import { dateTimeText } from './times.ts';

type Text<Part> = Readonly<Record<keyof Part, string>>;

/** Names of the configuration values, by path. The types require one for each value. */
const NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  general: {
    welcomePointsMinor: 'Welcome points (local chain only)',
    bigWinMultiple: 'Big win: minimum multiple of the stake',
    bigWinMinMinor: 'Big win: minimum points',
  } satisfies Text<Pick<Config, 'welcomePointsMinor' | 'bigWinMultiple' | 'bigWinMinMinor'>>,
  game: {
    rules: 'Rules version',
    minStakeMinor: 'Minimum stake',
    maxStakeMinor: 'Maximum stake',
    maxLines: 'Maximum lines',
    enabled: 'Enabled',
  } satisfies Text<GameConfig>,
  exchange: {
    enabled: 'Exchange enabled',
    pointsToToken: 'BSM per point',
    tokenToPoints: 'Points per BSM',
  } satisfies Text<ExchangeConfig>,
  withdraw: {
    feeRate: 'Fee rate, fraction of the gross amount',
    enabled: 'Withdrawal processing enabled',
    minTokenMinor: 'Minimum withdrawal',
    playerHourMaxCount: 'Automatic payments per player and hour: maximum count',
    hotWalletMaxTokenMinor: 'Hot wallet cap (0: no cap)',
    automaticMaxTokenMinor: 'Auto-approved up to, per withdrawal',
    playerHourMaxTokenMinor: 'Auto-approved up to, per player and hour',
    playerDayMaxTokenMinor: 'Auto-approved up to, per player and 24 hours',
    hourMaxTokenMinor: 'Auto-approved up to, all players per hour',
    dayMaxTokenMinor: 'Auto-approved up to, all players per 24 hours',
    newAccountMinTokenMinor: 'Minimum sent when a token account must be created',
    lowWaterLamports: 'Minimum SOL balance for signing (typed in lamports, 10^-9 SOL)',
  } satisfies Text<WithdrawConfig>,
  deposit: {
    minTokenMinor: 'Minimum deposit',
    maxTokenMinor: 'Maximum deposit',
    dustBelowTokenMinor: 'Dust: transfers below it (0: none)',
  } satisfies Text<Config['deposit']>,
  token: {
    decimals: 'Mint decimals',
    contract: 'Mint address',
    projectWallet: 'Deposit address',
  } satisfies Text<TokenConfig>,
  protection: {
    realityCheckMinutes: 'Default reality check interval in minutes (null: none)',
  } satisfies Text<Config['protection']>,
  play: {
    enabled: 'Bets and exchange enabled',
  } satisfies Text<Config['play']>,
  adjust: {
    singleOperatorMaxPointsMinor: 'Points per player and day',
    singleOperatorMaxTokenMinor: 'BSM per player and day',
    operatorDayMaxPointsMinor: 'Points for all players per day',
    operatorDayMaxTokenMinor: 'BSM for all players per day',
  } satisfies Text<AdjustConfig>,
};

const PARTS: Readonly<Record<string, string>> = {
  general: 'General',
  exchange: 'Exchange',
  withdraw: 'Withdrawals',
  deposit: 'Deposits',
  token: 'Token',
  protection: 'Player protection',
  play: 'Play',
  adjust: 'Adjustments by one operator',
};

/** The section of a path (each game has its own), and the name of the value. */
export function placeOf(path: string): { part: string; name: string | undefined } {
  const [first = '', second = '', third = ''] = path.split('.');
  if (second === '') return { part: 'general', name: NAMES.general?.[first] };
  if (first === 'games') return { part: second, name: NAMES.game?.[third] };
  return { part: first, name: NAMES[first]?.[second] };
}

/** With its section: `Withdrawals: Minimum withdrawal`. */
export function settingName(path: string): string {
  const { part, name = path } = placeOf(path);
  return `${partName(part)}: ${name}`;
}

/** A game has its own name. */
export const partName = (part: string) => PARTS[part] ?? part;

/** The asset of an amount; null for other values. */
export function assetOf(path: string): Asset | null {
  if (!path.endsWith('Minor')) return null;
  return /tokenMinor$/i.test(path) ? 'token' : 'points';
}

/** The text to edit. */
export function typedOf(path: string, text: string): string {
  const asset = assetOf(path);
  return asset && isMinor(text) ? typedAmount(asset, BigInt(text)) : text;
}

/** Converts typed text to the ledger's text. Invalid amounts get their unit, so that the server rejects them. */
export function textOf(path: string, typed: string): string {
  const asset = assetOf(path);
  const text = typed.trim();
  if (!asset) return text;
  const minor = readAmount(asset, text);
  if (minor === 'zero') return '0';
  return typeof minor === 'bigint' ? minor.toString() : `${text} ${unitOf(asset)}`;
}

/** For display, with its unit. */
export function valueText(path: string, text: string): string {
  const asset = assetOf(path);
  if (!asset || !isMinor(text)) return measureText(path, text);
  return `${decimalText(asset, BigInt(text))} ${unitOf(asset)}`;
}

const isMinor = (text: string) => /^-?\d{1,30}$/.test(text);

const UNITS = { feeRate: '%', ToToken: ' BSM', ToPoints: ' points', Lamports: ' SOL' };
/** The year 2001, in ms since 1970: smaller numbers of ms are durations. */
const TIME_MS_MIN = 1_000_000_000_000;

/** A rate, SOL, a time or a duration (`1 d 2 h`) in human units. Other texts unchanged. */
export function measureText(field: string, text: string): string {
  const [, above, below = '1'] = /^(\d{1,15})(?:\/(0*[1-9]\d{0,14}))?$/.exec(text) ?? [];
  const [, unit] = Object.entries(UNITS).find(([end]) => field.endsWith(end)) ?? [];
  if (above && unit) {
    const nano = BigInt(`${above}${unit === ' SOL' ? '' : '0'.repeat(unit === '%' ? 11 : 9)}`);
    const isExact = nano % BigInt(below) === 0n;
    const digits = isExact ? { maximumFractionDigits: 9 } : { maximumSignificantDigits: 4 };
    const number = (Number(nano) / Number(below) / 1e9).toLocaleString('en-US', digits) + unit;
    return isExact ? number : `${text} (${number})`;
  }
  if (!above || !/(Ms|Minutes)$/.test(field)) return text;
  const ms = Number(above) * (field.endsWith('Ms') ? 1 : 60_000);
  const at = new Date(ms);
  if (ms >= TIME_MS_MIN) return `${dateTimeText(at.toISOString())} UTC`;
  if (ms < 1_000) return `${ms} ms`;
  const clock = `${at.getUTCHours()} h ${at.getUTCMinutes()} min ${(ms % 60_000) / 1_000} s`;
  return `${Math.floor(ms / 86_400_000)} d ${clock}`.replace(/\b0 [a-z]+ ?/g, '').trim();
}
