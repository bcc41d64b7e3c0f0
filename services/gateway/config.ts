import type { CommandExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import type { Game } from '@reelbook/games/game';
import { assert } from '@reelbook/ledger/assert';
import { type Config, defaultConfig, WELCOME_POINTS_MINOR } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { ADMINS_BY_SHELL } from '@reelbook/ledger/operators/roles';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import type { LiveFeed } from './live/live-feed.ts';

/** Bounds the age of the configuration if a message of the bus is lost. */
const RELOAD_EVERY_MS = 5_000;

/** The configuration in this process. The append refuses a bet that was decided under an old one. */
export interface CurrentConfig {
  current(): { readonly config: Config; readonly version: number };
  reload(): Promise<void>;
  /** Calls `handler` once for each newer version. */
  onChange(handler: (version: number) => void): void;
  close(): void;
}

export async function followConfig(options: {
  readonly pool: pg.Pool;
  readonly feed: LiveFeed;
  readonly log: Logger;
}): Promise<CurrentConfig> {
  let current = await load(options.pool);
  const handlers: ((version: number) => void)[] = [];
  const reload = async () => {
    const loaded = await load(options.pool);
    if (loaded.version > current.version) {
      options.log.info({ version: loaded.version }, 'configuration changed');
      current = loaded;
      for (const handler of handlers) handler(loaded.version);
    }
  };
  const reloadSoon = () => {
    reload().catch((error: unknown) =>
      options.log.warn({ err: error }, 'configuration not reloaded'),
    );
  };
  const following = options.feed.follow(CONFIG_STREAM, reloadSoon);
  const timer = setInterval(reloadSoon, RELOAD_EVERY_MS).unref();
  return {
    current: () => current,
    reload,
    onChange: (handler) => void handlers.push(handler),
    close() {
      clearInterval(timer);
      following.close();
    },
  };
}

async function load(pool: pg.Pool) {
  const { state, version } = await loadState(pool, configDecider, CONFIG_STREAM);
  assert(state.config, 'the configuration is seeded before a gateway serves');
  return { config: state.config, version };
}

/** Writes the first configuration if there is none. Processes may call it concurrently. */
export async function seedConfig(
  executor: CommandExecutor,
  options: { readonly localChain: boolean; readonly games: readonly Game[] },
): Promise<void> {
  const found = await executor.currentState(configDecider, CONFIG_STREAM);
  if (found.version === 0) await writeFirst(executor, options);
  await addGames(executor, options.games);
}

/** Changes by the start of a gateway need no second person. */
const BY_GATEWAY = { by: 'system:gateway', adminsEver: ADMINS_BY_SHELL } as const;

async function writeFirst(
  executor: CommandExecutor,
  { localChain, games }: { readonly localChain: boolean; readonly games: readonly Game[] },
): Promise<void> {
  const welcomePointsMinor = localChain ? WELCOME_POINTS_MINOR : 0n;
  const executed = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    // The first process wins; others find its configuration.
    idempotencyKey: 'config:genesis',
    request: null,
    meta: { correlation: 'config-genesis', actor: BY_GATEWAY.by },
    prepare: async () => ({
      command: {
        type: 'ChangeConfig' as const,
        config: { ...defaultConfig, games: defaultsOf(games), welcomePointsMinor },
        reason: 'first configuration',
        knownRules: rulesOf(games),
        ...BY_GATEWAY,
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', 'the first configuration is valid');
}

/** Adds games of this build that the ledger does not have yet, with their defaults. */
async function addGames(executor: CommandExecutor, games: readonly Game[]): Promise<void> {
  const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
  const fresh = games.filter(({ id }) => !state.config?.games[id]);
  if (fresh.length === 0) return;
  const names = fresh.map(({ id }) => id).join(', ');
  const executed = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    idempotencyKey: `config:games:${names}`,
    request: null,
    meta: { correlation: 'config-games', actor: BY_GATEWAY.by },
    async prepare({ config }) {
      assert(config, 'the configuration is seeded');
      const added = fresh.filter(({ id }) => !config.games[id]);
      const command = {
        type: 'ChangeConfig' as const,
        config: { ...config, games: { ...config.games, ...defaultsOf(added) } },
        reason: `this build brings ${names}`,
        knownRules: rulesOf(games),
        ...BY_GATEWAY,
      };
      return { command, configVersion: null };
    },
  });
  assert(executed.kind === 'done', 'the defaults of a game are valid');
}

const defaultsOf = (games: readonly Game[]) =>
  Object.fromEntries(games.map(({ id, defaults }) => [id, defaults]));

const rulesOf = (games: readonly Game[]) =>
  Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
