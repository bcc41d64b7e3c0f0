import { openPlayerTokens } from '@reelbook/gateway/sessions';
import { assert } from '@reelbook/ledger/assert';

type Claims = NonNullable<ReturnType<ReturnType<typeof openPlayerTokens>['read']>>;

/** A player's token with other claims, as only the holder of the session key can make it: such as one that has expired. */
export function changedToken(
  sessionKey: Buffer,
  token: string,
  change: (claims: Claims) => Partial<Claims>,
): string {
  const tokens = openPlayerTokens(sessionKey);
  const claims = tokens.read(token);
  assert(claims, 'the token is of this key');
  return tokens.renew(token, { ...claims, ...change(claims) });
}
