import type { CommandExecutor } from '@reelbook/event-store/execute';
import type { SeedVault } from '@reelbook/event-store/seed-vault';
import { createDraws } from '@reelbook/games/fairness/draw';
import { findGame, games } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import { defaultConfig } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import type { Asset } from '@reelbook/ledger/money';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { CONFIG_STREAM, playerStream } from '@reelbook/ledger/streams';
import { createWallet } from './wallets.ts';

const GAME = 'slot-machine';
const LIMITS = { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 };
const WELCOME_MINOR = 100_000n;

/** Plays real rounds straight through the command executor, for tests that need a book and no gateway. */
export interface Players {
  configure(): Promise<void>;
  /** Registers a wallet (welcomed with 1,000 points) and returns its address. */
  register(): Promise<string>;
  /** One spin of whole points; its draw comes from the player's own committed seeds. */
  spin(wallet: string, points: number): Promise<void>;
  rotate(wallet: string): Promise<void>;
  /** Points for token or token for points, in minor units; needs a treasury that covers it. */
  exchange(wallet: string, fromAsset: Asset, amountMinor: bigint): Promise<void>;
  readNotifications(wallet: string, which: number | 'all'): Promise<void>;
}

export function createPlayers(o: { executor: CommandExecutor; vault: SeedVault }): Players {
  let count = 0;
  const run = async (wallet: string, prepare: (state: PlayerState) => Promise<unknown>) => {
    const executed = await o.executor.execute({
      decider: playerDecider,
      stream: playerStream(wallet),
      idempotencyKey: `test:${wallet}:${count++}`,
      request: null,
      meta: { correlation: 'test', actor: `player:${wallet}` },
      prepare: prepare as never,
    });
    assert(executed.kind === 'done', `the command is ${executed.kind}`);
  };
  const prepared = (command: unknown) => ({ command, configVersion: null });

  return {
    async configure() {
      const knownRules = Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
      const defaults = Object.fromEntries(games.map((game) => [game.id, game.defaults]));
      const config = { ...defaultConfig, games: defaults, welcomePointsMinor: WELCOME_MINOR };
      const command = {
        ...{ type: 'ChangeConfig', config, reason: 'test', knownRules },
        ...{ by: 'system:test', adminsEver: 0 },
      };
      await o.executor.execute({
        decider: configDecider,
        stream: CONFIG_STREAM,
        idempotencyKey: 'config:genesis',
        request: null,
        meta: { correlation: 'test', actor: 'system:test' },
        prepare: async () => prepared(command) as never,
      });
    },
    async register() {
      const { address: wallet } = createWallet();
      const [active, next] = [await o.vault.create(), await o.vault.create()];
      const registration = {
        publicId: `t${wallet.slice(0, 9)}`,
        welcomePointsMinor: WELCOME_MINOR,
        activeHash: active.hash,
        nextHash: next.hash,
        clientSeed: 'site',
      };
      await run(wallet, async () =>
        prepared({ type: 'StartSession', wallet, session: '00', registration }),
      );
      return wallet;
    },
    spin(wallet, points) {
      const stakeMinor = BigInt(points) * 100n;
      return run(wallet, async (state) => {
        const { seeds } = state;
        const game = findGame(GAME);
        assert(seeds && game, 'a registered player and a known game');
        const rules = game.rulesIds[0] ?? '';
        const { pair, activeHash: serverSeedHash, clientSeed, nonce } = seeds;
        const serverSeed = await o.vault.open(serverSeedHash);
        const draws = createDraws({ serverSeed, clientSeed, nonce });
        const draw = () => game.draw({ rules, stakeMinor, lines: 25, draws });
        const bet = { type: 'PlaceBet', game: GAME, stakeMinor, lines: 25, limits: LIMITS, rules };
        const { bigWinMultiple } = defaultConfig;
        return prepared({ ...bet, bigWinMultiple, pair, nonce, draw });
      });
    },
    exchange: (wallet, fromAsset, amountMinor) =>
      run(wallet, async () => {
        const toAsset = fromAsset === 'points' ? 'token' : 'points';
        const terms = defaultConfig.exchange;
        return prepared({ type: 'Exchange', fromAsset, toAsset, amountMinor, terms });
      }),
    readNotifications: (wallet, which) =>
      run(wallet, async () => prepared({ type: 'ReadNotifications', which })),
    rotate(wallet) {
      return run(wallet, async (state) => {
        const serverSeedHash = state.seeds?.activeHash ?? '';
        const serverSeed = await o.vault.open(serverSeedHash);
        const { hash: nextHash } = await o.vault.create();
        const clientSeed = { text: `mine-${count}`, by: 'player' };
        return prepared({ type: 'RotateSeeds', serverSeedHash, serverSeed, nextHash, clientSeed });
      });
    },
  };
}
