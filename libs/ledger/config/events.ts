import { type DescriptorsOf, movesNothing } from '../descriptor.ts';
import type { Agreed } from '../proposals.ts';
import { leastFor } from './care.ts';
import type { Config } from './config.ts';
import { changedValues } from './edit.ts';

export type ConfigEvent = ConfigChanged;

/** The complete configuration before and after, so that each event shows what changed. */
export interface ConfigChanged {
  readonly type: 'ConfigChanged';
  readonly data: {
    readonly before: Config | null;
    readonly after: Config;
    readonly reason: string;
    /** Missing where one person was enough. */
    readonly proposal?: Agreed;
  };
}

export const CONFIG_EVENTS: DescriptorsOf<ConfigEvent> = {
  ConfigChanged: movesNothing(
    1,
    {
      role: ({ before, after }) => leastFor(changedValues(before, after).map(({ path }) => path)),
      act: null,
    },
    [
      'configuration: {changes} ({reason})',
      ({ before, after, reason }) => ({
        changes: { changes: before ? changedValues(before, after) : [] },
        reason,
      }),
    ],
  ),
};
