import { defaultConfig } from '@reelbook/ledger/config/config';
import type { Asset } from '@reelbook/ledger/money';
import type {
  Exchange,
  PlaceBet,
  PlayerCommand,
  RotateSeeds,
  SettleRound,
  StartRound,
  StartSession,
} from '@reelbook/ledger/player/commands';
import type { RequestWithdrawal } from '@reelbook/ledger/player/payment-events';
import type { PlayerState } from '@reelbook/ledger/player/state';

/** Commands of players, with the fields that no test chooses; `given` and `history` decide them. */

type Registration = NonNullable<StartSession['registration']>;

export function registerCommand(
  wallet: string,
  registration: Omit<Registration, 'clientSeed'>,
): StartSession {
  return {
    type: 'StartSession',
    wallet,
    session: 's',
    registration: { ...registration, clientSeed: 'lucky' },
  };
}

export function rotateCommand(
  { seeds }: PlayerState,
  serverSeed: string,
  nextHash: string,
): RotateSeeds {
  const serverSeedHash = seeds?.activeHash ?? '';
  const clientSeed = { text: 'luckier', by: 'player' } as const;
  return { type: 'RotateSeeds', serverSeedHash, serverSeed, nextHash, clientSeed };
}

/** The next draw of a player's seeds, and a stake within wide limits. */
const betOf = ({ seeds }: PlayerState) => ({
  lines: 25,
  pair: seeds?.pair ?? 0,
  nonce: seeds?.nonce ?? 0,
  limits: { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 },
});

export function betCommand(
  state: PlayerState,
  bet: Pick<
    PlaceBet,
    'game' | 'stakeMinor' | 'rules' | 'draw' | 'bigWinMultiple' | 'bigWinMinMinor' | 'play'
  >,
): PlaceBet {
  return { type: 'PlaceBet', ...betOf(state), ...bet };
}

/** A round that lasts so many ticks of a second. */
export function startCommand(
  state: PlayerState,
  { ticks, ...bet }: Pick<StartRound, 'game' | 'stakeMinor' | 'play'> & { readonly ticks: number },
): StartRound {
  const lasting = { rules: `${bet.game}-1`, draw: () => ({ ticks }), tickMs: 1_000 };
  return { type: 'StartRound', ...betOf(state), ...bet, ...lasting };
}

/** Ends the open round of a game: its ticks are over and it pays, or an operator gives its stake back. */
export function endCommand(
  { timed }: PlayerState,
  {
    payoutMinor,
    ...end
  }: Pick<SettleRound, 'game' | 'bigWinMultiple' | 'play'> & {
    readonly payoutMinor: bigint | 'void';
  },
): PlayerCommand {
  const { round = '', ticks = 0, tickMs = 0 } = timed?.[end.game] ?? {};
  if (payoutMinor === 'void') {
    const by = { by: 'operator:test', operators: { test: 'operator' }, reason: 'a test' } as const;
    const alone = { terms: defaultConfig.adjust, isAllowed: true, nowMs: 0 };
    return { type: 'VoidRound', round, ...by, ...alone };
  }
  const outcome = { rules: `${end.game}-1`, ticks };
  return { type: 'SettleRound', round, outcome, payoutMinor, elapsedMs: ticks * tickMs, ...end };
}

/** At the rates of the default configuration. */
export function exchangeCommand(fromAsset: Asset, amountMinor: bigint): Exchange {
  const toAsset = fromAsset === 'points' ? 'token' : 'points';
  return { type: 'Exchange', fromAsset, toAsset, amountMinor, terms: defaultConfig.exchange };
}

/** Of a withdrawal to a wallet that no test has the key of, by the terms of the default configuration. */
export function withdrawCommand(amountMinor: bigint): RequestWithdrawal {
  return {
    type: 'RequestWithdrawal',
    amountMinor,
    to: 'E'.repeat(43),
    address: 'wallet',
    makesAccount: false,
    terms: defaultConfig.withdraw,
  };
}
