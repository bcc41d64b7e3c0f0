import type { CommandExecutor } from '@reelbook/event-store/execute';
import { games } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import type { Config } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { ADMINS_BY_SHELL } from '@reelbook/ledger/operators/roles';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { StartError } from '@reelbook/runtime/lifecycle';

/** The mint of the ledger, and the wallet that receives deposits. */
export interface PinnedToken {
  readonly contract: string;
  readonly projectWallet: string;
}

/**
 * Writes mint and wallet into the configuration at the first start with a chain. Later starts with other ones are refused:
 * the balances of players are in that mint. Processes may call it concurrently. `beforeFirst` runs before the deposit
 * address is published.
 */
export async function pinToken(
  executor: CommandExecutor,
  token: PinnedToken,
  beforeFirst: () => Promise<void> = async () => {},
): Promise<void> {
  const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
  assert(state.config, 'the configuration is seeded');
  if (state.config.token.contract === null) {
    await beforeFirst();
    await write(executor, state.config, token);
  }
  const pinned = (await executor.currentState(configDecider, CONFIG_STREAM)).state.config?.token;
  assert(pinned, 'the configuration names the token');
  const differences = (['contract', 'projectWallet'] as const)
    .filter((name) => pinned[name] !== token[name])
    .map((name) => `  token.${name} is ${pinned[name]} in the ledger, and ${token[name]} here`);
  if (differences.length === 0) return;
  throw new StartError(
    `This ledger belongs to another token or treasury:\n${differences.join('\n')}\n` +
      'Start it with its own chain, or change the configuration deliberately with `npm run reelbook -- config`.',
  );
}

async function write(executor: CommandExecutor, config: Config, token: PinnedToken): Promise<void> {
  const executed = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    // The first process wins; others compare with its token.
    idempotencyKey: 'config:token',
    request: null,
    meta: { correlation: 'config-token', actor: 'system:gateway' },
    prepare: async () => ({
      command: {
        type: 'ChangeConfig' as const,
        config: { ...config, token: { ...config.token, ...token } },
        reason: 'first start with a chain',
        knownRules: Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds])),
        by: 'system:gateway',
        adminsEver: ADMINS_BY_SHELL,
      },
      configVersion: null,
    }),
  });
  assert(executed.kind === 'done', 'a mint and a wallet make a valid configuration');
}
