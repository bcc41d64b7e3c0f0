import type { CommandOutcome } from '@reelbook/contract/player/profile';
import { commandKey } from '@reelbook/event-store/idempotency-key';
import { settled } from '@reelbook/http/settled';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import type { Caller, Gateway } from '../context.ts';
import { readCommandOutcome } from '../reads/command-outcome.ts';

/**
 * Uses the idempotency key of a command without a response. A request with that key that arrives later is refused; if
 * it was executed earlier, its outcome is returned.
 */
export async function discardCommand(
  gateway: Gateway,
  { wallet, correlation, key }: Caller & { readonly key: string },
): Promise<{ data: CommandOutcome; position?: number }> {
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: commandKey(wallet, key),
    request: { command: 'discard' },
    meta: { correlation, actor: `player:${wallet}` },
    prepare: async () => ({
      command: { type: 'DiscardCommand' as const, idempotencyKey: key },
      configVersion: null,
    }),
  });
  if (executed.kind !== 'key-reused') settled(executed);
  const data = await readCommandOutcome(gateway, { wallet, key });
  return data.position === null ? { data } : { data, position: data.position };
}
