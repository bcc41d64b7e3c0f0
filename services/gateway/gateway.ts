import { logClockFaults, openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { games as allGames, distinctGames } from '@reelbook/games/rules';
import { openProver } from '@reelbook/inspection/prover';
import { assert } from '@reelbook/ledger/assert';
import { assertLedgerKind } from '@reelbook/payments/ledger-kind';
import { openScan } from '@reelbook/payments/movements';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Registry } from '@reelbook/runtime/metrics';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { openCommitments, rememberSeeds } from './commitments.ts';
import { type CurrentConfig, followConfig, seedConfig } from './config.ts';
import type { Gateway, GatewayDeps } from './context.ts';
import { encodeMessage } from './live/client.ts';
import { openLiveFeed } from './live/live-feed.ts';
import { openPush } from './live/push.ts';
import { openGatewayMetrics } from './metrics.ts';
import { pinToken } from './pin-token.ts';
import { openSessions } from './sessions.ts';
import { startSweep } from './sweep.ts';
import { openWalletBalances } from './wallet-balances.ts';

const SWEEP_SESSIONS_EVERY_MS = 600_000;
/** The specification's: once a second. */
export const GAME_TICK_MS = 1_000;

/**
 * Serves the player API, `/ws` and the player app. Resolves when it listens. `close` lets what is under way finish;
 * the pool and the bus are their opener's.
 */
export async function startGateway(
  deps: GatewayDeps,
): Promise<{ url: string; registry: Registry; close(): Promise<void> }> {
  const { settings, log } = deps;
  const opened = await openGateway(deps);
  const { gateway } = opened;
  try {
    const push = openPush(gateway);
    const app = await buildApp(gateway, push);
    gateway.config.onChange((version) =>
      push.tellAll(encodeMessage('config_updated', { config_version: version })),
    );
    const sweep = setInterval(() => {
      gateway.sessions
        .sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'old sessions not removed'));
    }, SWEEP_SESSIONS_EVERY_MS).unref();
    const rounds = startSweep(gateway);
    const close = async () => {
      clearInterval(sweep);
      await rounds.close();
      push.close();
      await app.close();
      await opened.close();
    };
    try {
      const url = await app.listen({ host: settings.host, port: settings.port });
      log.info({ url }, 'the gateway listens');
      return { url, registry: gateway.metrics.registry, close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** All that stands behind the API, without a port: commands and reads work on it. */
async function openGateway(
  deps: GatewayDeps,
): Promise<{ gateway: Gateway; close(): Promise<void> }> {
  const { pool, bus, settings, chain = null } = deps;
  const games = distinctGames(deps.games ?? allGames);
  assertTick(settings);
  // Play money on a real chain, or real money taken for play: neither can be asked for.
  assert(chain === null || (chain.local !== null) === settings.localChain, 'one kind of chain');
  let config: CurrentConfig | null = null;
  const feed = await openLiveFeed(deps);
  const executor = startExecutor({
    pool,
    onAppended: bus.nudge,
    onStaleConfig: async () => config?.reload(),
    onClockFault: logClockFaults(deps.log),
  });
  const close = async () => {
    config?.close();
    feed.close();
    await executor.close();
  };
  try {
    await seedConfig(executor, { localChain: settings.localChain, games });
    await assertLedgerKind(pool, settings.localChain ? 'play' : 'real');
    if (chain) {
      const { mint: contract, wallet: projectWallet } = chain.chain.options;
      await pinToken(executor, { contract, projectWallet }, () => openTreasury(pool, chain.chain));
    }
    config = await followConfig({ ...deps, feed });
  } catch (error) {
    await close();
    throw error;
  }
  const vault = openSeedVault({ pool, key: settings.seedKey, keyId: settings.seedKeyId });
  const gateway: Gateway = {
    ...deps,
    games,
    executor,
    feed,
    config,
    clock: openClock(pool),
    vault: rememberSeeds(vault),
    sessions: openSessions({ pool, key: settings.sessionKey }),
    prover: openProver(pool),
    commitments: openCommitments(pool),
    metrics: openGatewayMetrics(pool, bus),
    walletBalances: openWalletBalances(chain?.chain ?? null),
  };
  return { gateway, close };
}

/**
 * The cashier counts from here on: whatever arrives later is somebody's. Throws StartError while the chain is away, for a
 * ledger that names its treasury too early would take the first deposits for the house's own.
 */
async function openTreasury(pool: pg.Pool, chain: Chain): Promise<void> {
  try {
    const [{ tokenAccount }, { tokenMinor, slot }] = [await chain.terms(), await chain.treasury()];
    await openScan(pool, { tokenAccount, openingMinor: tokenMinor, slot });
  } catch (error) {
    throw new StartError(`A first start with a chain needs its answer: ${String(error)}`);
  }
}

/** Shorter rounds are more rounds an hour: for trying things out, with points that are worth nothing. */
function assertTick({ gameTickMs, localChain }: GatewayDeps['settings']): void {
  if (gameTickMs === GAME_TICK_MS || localChain) return;
  throw new StartError(
    'GAME_TICK_MS is for the local chain only; with a real one a tick is a second.',
  );
}
