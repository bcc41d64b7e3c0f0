import type { GameConfig } from '@reelbook/contract/player/public';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { protection } from './protection.ts';
import { session } from './session-store.ts';

/** Why the player can neither stake nor pay in; `until` is null for good, and for what operators end. */
export interface Closed {
  readonly why: 'excluded' | 'suspended' | 'paused' | 'noChain';
  readonly until: string | null;
}

export const NO_CHAIN: Closed = { why: 'noChain', until: null };

/** Null while open, undefined until that is known. `of`: a function that operators can pause. */
export function useClosed(of?: Pick<GameConfig, 'enabled'>): Closed | null | undefined {
  const isSignedIn = useStore(session) !== null;
  const { data, isPending } = useQuery({ ...protection, enabled: isSignedIn });
  if (isSignedIn && data?.exclusion) return { why: 'excluded', until: data.exclusion.until };
  if (isSignedIn && data?.suspended) return { why: 'suspended', until: null };
  if (of?.enabled === false) return { why: 'paused', until: null };
  return isSignedIn && isPending ? undefined : null;
}
