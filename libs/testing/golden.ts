import { assert } from '@reelbook/ledger/assert';
import { decode } from '@reelbook/ledger/codec';
import type { AnyEvent } from '@reelbook/ledger/events';
import { RECORDED_ACTS, type RecordedAct } from '@reelbook/ledger/player/standing';
import type { StreamKind } from '@reelbook/ledger/streams';
import { listFiles, read } from './repository.ts';

/** A stream as an earlier build wrote it, and the sha256 of the state that it folds to: the last line of its file. */
export interface GoldenStream {
  readonly name: string;
  readonly kind: StreamKind;
  readonly events: readonly AnyEvent[];
  readonly foldsTo: string;
}

/** Those of `golden/`: `<kind>-<name>.jsonl`. */
export const goldenStreams: readonly GoldenStream[] = listFiles(
  'libs/testing/golden',
  /\.jsonl$/,
).map((path) => {
  const name = path.replace(/^.*\/|\.jsonl$/g, '');
  const [kind = ''] = name.split('-');
  const lines = read(path).trim().split('\n');
  const { foldsTo } = JSON.parse(lines.pop() ?? '') as { foldsTo: string };
  const events = lines.map((line) => decode<AnyEvent>(line));
  return { name, kind: kind as StreamKind, events, foldsTo };
});

/** Each action of operators that changes no state, with its first event in these streams. */
export const recordedActs = Object.entries(RECORDED_ACTS).map(([action, type]) => {
  const event = goldenStreams.flatMap(({ events }) => events).find((one) => one.type === type);
  assert(event?.type === type, `a golden stream has a ${type}`);
  return { act: { type: action, ...event.data } as RecordedAct, event };
});
