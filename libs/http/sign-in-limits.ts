import { failureOf } from './failures.ts';
import { type LimitOptions, openLimit } from './limits.ts';
import { Refused } from './refused.ts';

const TOO_MANY_REQUESTS = 429;

/**
 * Limits of signed messages. A sign-in that fails uses up nothing that another wallet's sign-in needs, except the bound
 * `all` on the CPU time of verification; so the limit `accepted` of a wallet counts only what that wallet signed, and each
 * message once.
 */
export interface SignInLimits {
  /** Counts an attempt, before the body is read. */
  admit(address: string): void;
  /** Throws if the address has too many failed sign-ins: before something is recorded for a wallet without rights. */
  checkFailed(address: string): void;
  /** Runs a sign-in. Failed ones above the limit get 429 instead of their own refusal. */
  run<T>(
    by: { readonly address: string; readonly wallet: string },
    signIn: () => Promise<T>,
  ): Promise<T>;
}

export function openSignInLimits(limits: {
  /** Attempts per address. */
  readonly all: LimitOptions;
  /** Failed attempts per address. */
  readonly failed: LimitOptions;
  /** Successful sign-ins per wallet. */
  readonly accepted: LimitOptions;
}): SignInLimits {
  const all = openLimit(limits.all);
  const failed = openLimit(limits.failed);
  const accepted = openLimit(limits.accepted);
  return {
    admit: all.take,
    checkFailed: failed.check,
    async run({ address, wallet }, signIn) {
      accepted.check(wallet);
      try {
        const session = await signIn();
        accepted.count(wallet);
        return session;
      } catch (error) {
        if (error instanceof Refused && failureOf(error).status < TOO_MANY_REQUESTS) {
          failed.take(address);
        }
        throw error;
      }
    },
  };
}
