import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { Execution } from '@reelbook/event-store/execution';
import type { PlayerCommand } from '@reelbook/ledger/player/commands';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';

const LIMITS = { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 };
const OUTCOME = { symbols: [4, 2, 4] };
const REGISTERED_IN_PARALLEL = 256;

/** Addresses in the format of wallets; no signatures are needed here. */
export function makeWallets(count: number, run: string): string[] {
  return Array.from({ length: count }, (_, index) =>
    `${run}x${index}`.replaceAll('0', 'z').padStart(43, 'A'),
  );
}

/** Registers a wallet with enough points for the complete run. */
function registration(wallet: string): Execution<PlayerState, PlayerCommand, PlayerEvent> {
  const command: PlayerCommand = {
    type: 'StartSession',
    wallet,
    session: '0'.repeat(32),
    registration: {
      publicId: wallet.slice(-10),
      welcomePointsMinor: 100_000n,
      activeHash: 'a'.repeat(64),
      nextHash: 'b'.repeat(64),
      clientSeed: '7f3a9c0d1e2b4a56',
    },
  };
  return execution(wallet, `${playerStream(wallet)}:login`, async () => ({
    command,
    configVersion: null,
  }));
}

let bets = 0;

/** A bet of one point that returns its stake, with every guard and decision, and a draw without cost. */
export function bet(wallet: string): Execution<PlayerState, PlayerCommand, PlayerEvent> {
  const stake = { stakeMinor: 100n, lines: 25, limits: LIMITS };
  return execution(wallet, `${playerStream(wallet)}:command:${bets++}`, async (state) => {
    const { seeds } = state;
    if (!seeds) throw new Error('a registered player has seeds');
    const command: PlayerCommand = {
      type: 'PlaceBet',
      game: 'slot-machine',
      rules: 'slot-1',
      ...stake,
      pair: seeds.pair,
      nonce: seeds.nonce,
      draw: () => ({ outcome: OUTCOME, payoutMinor: 100n }),
      bigWinMultiple: 4,
    };
    return { command, configVersion: null };
  });
}

function execution(
  wallet: string,
  idempotencyKey: string,
  prepare: Execution<PlayerState, PlayerCommand, PlayerEvent>['prepare'],
): Execution<PlayerState, PlayerCommand, PlayerEvent> {
  return {
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey,
    request: { bet_amount: 1, lines: 25 },
    meta: { correlation: '3f0c1d2e4b5a69788796a5b4', actor: `player:${wallet}` },
    prepare,
  };
}

export async function registerAll(
  executor: CommandExecutor,
  wallets: readonly string[],
): Promise<void> {
  for (let at = 0; at < wallets.length; at += REGISTERED_IN_PARALLEL) {
    const some = wallets.slice(at, at + REGISTERED_IN_PARALLEL);
    await Promise.all(some.map((wallet) => executor.execute(registration(wallet))));
  }
}
