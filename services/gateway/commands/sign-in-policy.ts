import type { SignInPolicy } from '@reelbook/contract/player/session';
import { settled } from '@reelbook/http/settled';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import type { Caller, Gateway } from '../context.ts';
import { readPlayer } from '../reads/player.ts';
import type { LiveSession } from '../sessions.ts';

/**
 * Sets which sign-ins the player accepts. An unchanged policy writes nothing, but ends the sessions again: a repeated call
 * completes one that a crash interrupted. Logins at the same time end their own session; see start-session.ts.
 */
export async function setSignInPolicy(
  gateway: Gateway,
  options: Caller & { readonly session: LiveSession; readonly walletCheckedOnly: boolean },
): Promise<{ data: SignInPolicy; position: number }> {
  const { wallet, session, walletCheckedOnly } = options;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: null,
    request: null,
    meta: { correlation: options.correlation, actor: `player:${wallet}` },
    prepare: async () => ({
      command: {
        type: 'SetSignInPolicy' as const,
        walletCheckedOnly,
        signIn: session.signIn,
      },
      configVersion: null,
    }),
  });
  const { position } = settled(executed);
  if (walletCheckedOnly) await gateway.sessions.revokeAll(wallet, { signIn: 'sentence' });
  const data = await readSignInPolicy(gateway, options);
  return { data, position: position || (await readPlayer(gateway, wallet)).position };
}

export async function readSignInPolicy(
  gateway: Gateway,
  { wallet, session }: { readonly wallet: string; readonly session: LiveSession },
): Promise<SignInPolicy> {
  const { state } = await readPlayer(gateway, wallet);
  return {
    wallet_checked_only: state.walletCheckedOnly ?? false,
    wallet_checked: session.signIn === 'siws',
  };
}
