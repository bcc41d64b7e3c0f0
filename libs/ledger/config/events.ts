import type { Confirmed, ProposalAct } from '../proposals.ts';
import type { Config } from './config.ts';
import type { ChangedValue } from './edit.ts';

export type ConfigEvent =
  | ConfigChanged
  | ConfigChangeProposed
  | ConfigChangeApproved
  | ConfigChangeWithdrawn;

/** The whole configuration before and after, so that each event shows what changed without a look at another. */
export interface ConfigChanged {
  readonly type: 'ConfigChanged';
  readonly data: {
    readonly before: Config | null;
    readonly after: Config;
    readonly reason: string;
    /** What it was proposed as, where one person was not enough. */
    readonly proposal?: Confirmed;
  };
}

/** Texts as of `listConfig`: exactly this is done, or nothing. */
export interface ConfigChangeProposed {
  readonly type: 'ConfigChangeProposed';
  readonly data: {
    readonly changes: readonly ChangedValue[];
    readonly reason: string;
    readonly by: string;
  };
}

export interface ConfigChangeApproved {
  readonly type: 'ConfigChangeApproved';
  readonly data: ProposalAct;
}

export interface ConfigChangeWithdrawn {
  readonly type: 'ConfigChangeWithdrawn';
  readonly data: ProposalAct;
}
