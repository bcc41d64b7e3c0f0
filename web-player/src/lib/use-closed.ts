import type { GameConfig } from '@reelbook/contract/player/public';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { protection } from './protection.ts';
import { session } from './session-store.ts';

/** Why the player can neither stake nor pay in; `until` is null for good, and for what operators end. */
export interface Closed {
  readonly why: 'excluded' | 'suspended' | 'paused';
  readonly until: string | null;
}

/** Null while open or unknown: the server refuses anyway. `of`: a function that operators can pause. */
export function useClosed(of?: Pick<GameConfig, 'enabled'>): Closed | null {
  const isSignedIn = useStore(session) !== null;
  const { data } = useQuery({ ...protection, enabled: isSignedIn });
  if (isSignedIn && data?.exclusion) return { why: 'excluded', until: data.exclusion.until };
  if (isSignedIn && data?.suspended) return { why: 'suspended', until: null };
  return of?.enabled === false ? { why: 'paused', until: null } : null;
}
