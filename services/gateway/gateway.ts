import { logClockFaults, openClock } from '@reelbook/event-store/clock';
import { startExecutor } from '@reelbook/event-store/execute';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { games as allGames, distinctGames } from '@reelbook/games/rules';
import { openOrigin } from '@reelbook/http/limits';
import { openProver } from '@reelbook/inspection/prover';
import { assert } from '@reelbook/ledger/assert';
import { assertLedgerKind } from '@reelbook/payments/ledger-kind';
import { openScan } from '@reelbook/payments/movements';
import { StartError } from '@reelbook/runtime/lifecycle';
import type { Registry } from '@reelbook/runtime/metrics';
import type { Chain } from '@reelbook/solana/rpc';
import type pg from 'pg';
import { buildApp } from './app.ts';
import { cacheSeeds, openCommitments } from './commitments.ts';
import { type CurrentConfig, followConfig, seedConfig } from './config.ts';
import type { Gateway, GatewayDeps } from './context.ts';
import {
  CHAIN_READS_PER_PLAYER,
  FIRST_LOGINS_PER_HOUR,
  FREE_ACTS_PER_DAY,
  openChainReads,
  openFirstLogins,
  openLoginLimits,
  withBudget,
} from './limits.ts';
import { encodeMessage } from './live/client.ts';
import { openLiveFeed } from './live/live-feed.ts';
import { openPush } from './live/push.ts';
import { openGatewayMetrics } from './metrics.ts';
import { pinToken } from './pin-token.ts';
import { openSessions } from './sessions.ts';
import { startSweep } from './sweep.ts';
import { openWalletBalances } from './wallet-balances.ts';

const SWEEP_SESSIONS_EVERY_MS = 600_000;
/** Set by the specification. */
export const GAME_TICK_MS = 1_000;

/**
 * Serves the player API, `/ws` and the player app. Resolves when it listens. `close` completes running requests; the caller
 * closes the pool and the bus.
 */
export async function startGateway(deps: GatewayDeps): Promise<{
  url: string;
  registry: Registry;
  close(): Promise<void>;
}> {
  const { settings, log } = deps;
  const opened = await openGateway(deps);
  const { gateway } = opened;
  try {
    const push = openPush(gateway);
    const app = await buildApp(gateway, push);
    gateway.config.onChange((version) =>
      push.broadcast(encodeMessage('config_updated', { config_version: version })),
    );
    const sweep = setInterval(() => {
      gateway.sessions
        .sweep()
        .catch((error: unknown) => log.warn({ err: error }, 'expired sessions not removed'));
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
      gateway.origin.listensOn(url);
      log.info({ url, origin: gateway.origin.read() }, 'gateway listening');
      const { registry } = gateway.metrics;
      return { url, registry, close };
    } catch (error) {
      await close();
      throw error;
    }
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Creates the context of commands and reads, without a port. */
async function openGateway(
  deps: GatewayDeps,
): Promise<{ gateway: Gateway; close(): Promise<void> }> {
  const { pool, bus, settings, chain = null } = deps;
  const games = distinctGames(deps.games ?? allGames);
  assertTick(settings);
  // Play money requires the local chain, real money any other.
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
  const clock = openClock(pool);
  const unitsPerDay = settings.freeActsPerDay ?? FREE_ACTS_PER_DAY;
  const budget = async () => ({ nowMs: await clock.agreedMs(), unitsPerDay });
  const chainFor = openChainReads(
    chain?.chain ?? null,
    settings.chainReadsPerMinute ?? CHAIN_READS_PER_PLAYER,
  );
  const vault = openSeedVault({ pool, key: settings.seedKey, keyId: settings.seedKeyId });
  const gateway: Gateway = {
    ...deps,
    games,
    origin: openOrigin({ origin: settings.publicOrigin, port: settings.port }),
    executor: withBudget(executor, budget),
    budget,
    chainFor,
    feed,
    config,
    clock,
    vault: cacheSeeds(vault),
    sessions: openSessions({ pool, key: settings.sessionKey, log: deps.log }),
    logins: openLoginLimits(),
    firstLogins: openFirstLogins(
      settings.firstLoginsPerHour ?? FIRST_LOGINS_PER_HOUR[settings.localChain ? 'play' : 'real'],
    ),
    prover: openProver(pool),
    commitments: openCommitments(pool),
    metrics: openGatewayMetrics(pool, bus),
    walletBalances: openWalletBalances(chainFor),
  };
  return { gateway, close };
}

/**
 * Records the opening balance of the treasury: the cashier attributes all later transfers. Throws StartError if the chain
 * does not respond: without the opening balance, the first deposits would count as house money.
 */
async function openTreasury(pool: pg.Pool, chain: Chain): Promise<void> {
  try {
    const [{ tokenAccount }, { tokenMinor, slot }] = [await chain.terms(), await chain.treasury()];
    await openScan(pool, { tokenAccount, openingMinor: tokenMinor, slot });
  } catch (error) {
    throw new StartError(`The first start with a chain needs a reachable RPC: ${String(error)}`);
  }
}

/** Shorter ticks are only for trials with play money: they allow more rounds per hour. */
function assertTick({ gameTickMs, localChain }: GatewayDeps['settings']): void {
  if (gameTickMs === GAME_TICK_MS || localChain) return;
  throw new StartError(
    'GAME_TICK_MS can be changed only on the local chain; with a real chain a tick is 1000 ms.',
  );
}
