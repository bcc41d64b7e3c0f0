import type { Lease } from '@reelbook/event-store/checkpoint';
import type { Projection } from '@reelbook/projections/projection';

/** Events of one transaction for a projection that is behind its group: the others wait for it. */
export const CATCH_UP_MAX = 500;

export interface ProjectionStatus {
  readonly name: string;
  /** `standby`: another process holds the lease. */
  readonly state: 'standby' | 'working' | 'stopped';
  readonly position: number | null;
  /** What is retried, or why it stopped; null otherwise. */
  readonly failing: string | null;
}

/** A projection of the group in this process. */
export interface Member {
  readonly projection: Projection;
  /** `failing`: why it stopped. What is retried is in the status of the group's worker. */
  readonly status: { -readonly [K in keyof ProjectionStatus]: ProjectionStatus[K] };
  /** Null while another process has it, or the projection is stopped. */
  lease: Lease | null;
  /** Last position of a batch that it failed on: up to there it is applied alone, `limit` events at a time. */
  aloneUntil: number;
  limit: number;
}

export type Held = Member & { readonly lease: Lease };

export function createMember(projection: Projection): Member {
  const status = {
    name: projection.name,
    state: 'standby',
    position: null,
    failing: null,
  } as const;
  return { projection, status: { ...status }, lease: null, aloneUntil: 0, limit: CATCH_UP_MAX };
}

export function isHeld(member: Member): member is Held {
  return member.lease !== null;
}

export function positionOf({ status }: Member): number {
  return status.position ?? 0;
}
