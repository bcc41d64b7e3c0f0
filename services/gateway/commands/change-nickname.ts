import type { User } from '@reelbook/contract/player/profile';
import { settled } from '@reelbook/http/settled';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import { userAnswer } from '../answers/player.ts';
import type { Caller, Gateway } from '../context.ts';
import { readPlayer } from '../reads/player.ts';

/** The ledger validates the nickname. An unchanged one writes nothing. */
export async function changeNickname(
  gateway: Gateway,
  options: Caller & { readonly nickname: string },
): Promise<{ data: User; position: number }> {
  const { wallet, nickname } = options;
  const actor = `player:${wallet}`;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: null,
    request: { command: 'change-nickname', nickname },
    meta: { correlation: options.correlation, actor },
    prepare: async () => ({
      command: { type: 'ChangeNickname' as const, nickname },
      configVersion: null,
    }),
  });
  const { state, position } = settled(executed);
  if (state && position > 0) return { data: userAnswer(state), position };
  const player = await readPlayer(gateway, wallet);
  return { data: userAnswer(player.state), position: player.position };
}
