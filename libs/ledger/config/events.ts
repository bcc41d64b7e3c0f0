import type { DescriptorsOf } from '../descriptor.ts';
import type { Confirmed, ProposalAct } from '../proposals.ts';
import { leastFor } from './care.ts';
import type { Config } from './config.ts';
import { type ChangedValue, changedValues } from './edit.ts';

export type ConfigEvent =
  | ConfigChanged
  | ConfigChangeProposed
  | ConfigChangeApproved
  | ConfigChangeWithdrawn;

/** The complete configuration before and after, so that each event shows what changed. */
export interface ConfigChanged {
  readonly type: 'ConfigChanged';
  readonly data: {
    readonly before: Config | null;
    readonly after: Config;
    readonly reason: string;
    /** The proposal, where one person was not enough. */
    readonly proposal?: Confirmed;
  };
}

/** Texts as of `listConfig`. A confirmation makes all these changes, or none. */
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

const leastForValues = (changes: readonly { readonly path: string }[]) =>
  leastFor(changes.map(({ path }) => path));
const ofProposal = ({ proposal, reason }: ProposalAct) => ({ proposal, reason });

export const CONFIG_EVENTS: DescriptorsOf<ConfigEvent> = {
  ConfigChanged: {
    number: 1,
    operator: {
      role: ({ before, after }) => leastForValues(changedValues(before, after)),
      act: null,
    },
    postings: null,
    sentence: ['configuration: {reason}', ({ reason }) => ({ reason })],
  },
  ConfigChangeProposed: {
    number: 2,
    operator: { role: ({ changes }) => leastForValues(changes), act: null },
    postings: null,
    sentence: ['configuration proposed: {reason}', ({ reason }) => ({ reason })],
  },
  ConfigChangeApproved: {
    number: 3,
    operator: { role: 'operator', act: null },
    postings: null,
    sentence: ['configuration proposal {proposal} approved: {reason}', ofProposal],
  },
  ConfigChangeWithdrawn: {
    number: 4,
    operator: { role: 'operator', act: null },
    postings: null,
    sentence: ['configuration proposal {proposal} withdrawn: {reason}', ofProposal],
  },
};
