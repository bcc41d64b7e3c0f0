import { createHmac, randomBytes } from 'node:crypto';
import type { CommandExecutor } from '@reelbook/event-store/execute';
import { addressOf } from '@reelbook/http/signature';
import { assert } from '@reelbook/ledger/assert';
import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { mayRaiseAlone } from '@reelbook/ledger/operators/role-changes';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';

/** Two, because some actions need two people. */
const LOCAL_OPERATORS = ['first', 'second'] as const;
const by = 'system:standalone';
const LINK_BYTES = 32;
const LINK_TTL_MS = 60 * 60_000;

/** One-time sign-in links. They exist only in the memory of this process. */
export interface Links {
  /** Uses a link. @returns its operator, or null if it was used, has expired or is unknown. */
  take(link: string): string | null;
}

export const noLinks: Links = { take: () => null };

/**
 * Creates two operators of this machine, each with a link. Their addresses are derived from the session key and belong to
 * no wallet. A revoked one stays revoked. Only for the local chain.
 */
export async function openLocalLinks(options: {
  readonly executor: CommandExecutor;
  readonly sessionKey: Buffer;
  readonly localChain: boolean;
}): Promise<{ readonly links: Links; readonly texts: readonly string[] }> {
  assert(options.localChain, 'links without a wallet are for play money');
  const open = new Map<string, { readonly operator: string; readonly untilMs: number }>();
  for (const name of LOCAL_OPERATORS) {
    const operator = addressOf(
      createHmac('sha256', options.sessionKey).update(`local operator ${name}`).digest(),
    );
    await addOnce(options.executor, operator, name);
    const { state } = await options.executor.currentState(operatorsDecider, OPERATORS_STREAM);
    // With two other admins, this operator would need their confirmation.
    if (!Object.hasOwn(state.operators, operator)) continue;
    const link = randomBytes(LINK_BYTES).toString('base64url');
    open.set(link, { operator, untilMs: performance.now() + LINK_TTL_MS });
  }
  const links: Links = {
    take(link) {
      const found = open.get(link);
      open.delete(link);
      return found && performance.now() < found.untilMs ? found.operator : null;
    },
  };
  return { links, texts: [...open.keys()] };
}

async function addOnce(executor: CommandExecutor, operator: string, name: string): Promise<void> {
  const { state } = await executor.currentState(operatorsDecider, OPERATORS_STREAM);
  if (!mayRaiseAlone(by, state.adminsEver)) return;
  const executed = await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: `operator-local:${operator}`,
    request: null,
    meta: { correlation: 'standalone-start', actor: by },
    async prepare() {
      const reason = `${name} operator of this machine, for the links that a start prints`;
      const command = {
        type: 'AddOperator' as const,
        operator,
        role: 'admin' as const,
        reason,
        by,
      };
      return { command, configVersion: null };
    },
  });
  assert(executed.kind !== 'key-reused', 'equal requests have equal hashes');
}
