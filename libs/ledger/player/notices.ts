import { assert } from '../assert.ts';

/**
 * Part of an event that a player is notified of: the player's n-th notification, and how many are unread with it. So the
 * count is part of the player's stream and has its version. Older events, from before notifications, have none.
 */
export interface Notice {
  readonly n: number;
  readonly unread: number;
  /** The earlier notification of the same matter: it is read with this one, and not listed any more. */
  readonly replaces?: number;
}

/** The notifications `from` to `to` (numbers, both included) are read; `unread` are left. */
export interface NotificationsRead {
  readonly type: 'NotificationsRead';
  readonly data: { readonly from: number; readonly to: number; readonly unread: number };
}

/** The read notifications of a player: 1 to `readTo`, and single ones after it. */
export interface NoticeState {
  readonly count: number;
  readonly readTo: number;
  /** Ascending, all above `readTo + 1`. */
  readonly readSingly: readonly number[];
}

/** Limit of notifications read out of order; above it the oldest unread ones are read with the next. */
export const READ_SINGLY_MAX = 100;

const NONE: NoticeState = { count: 0, readTo: 0, readSingly: [] };

/** A state without `notices` is of a player who was never notified. */
export interface Noticed {
  readonly notices?: NoticeState;
}

const noticesOf = (state: Noticed) => state.notices ?? NONE;

export function unreadOf(state: Noticed): number {
  const { count, readTo, readSingly } = noticesOf(state);
  return count - readTo - readSingly.length;
}

export function isRead(state: Noticed, n: number): boolean {
  const { readTo, readSingly } = noticesOf(state);
  return n <= readTo || readSingly.includes(n);
}

/** `before`: the last notification of the same matter. Above the limit of reads out of order it stays. */
export function nextNotice(state: Noticed, before?: number): Notice {
  const { count, readSingly } = noticesOf(state);
  const notice = { n: count + 1, unread: unreadOf(state) + 1 };
  if (before === undefined || readSingly.length >= READ_SINGLY_MAX) return notice;
  return { n: notice.n, unread: notice.unread - (isRead(state, before) ? 0 : 1), replaces: before };
}

/** The state after an event that may carry a notice. */
export function withNotice<State extends Noticed>(state: State, notice: Notice | undefined): State {
  if (!notice) return state;
  const { n, unread, replaces } = notice;
  const next = nextNotice(state, replaces);
  assert(n === next.n, 'notifications have no gaps');
  assert(unread === next.unread, 'a notification has the number of unread ones');
  const counted = { ...state, notices: { ...noticesOf(state), count: n } };
  if (replaces === undefined || isRead(state, replaces)) return counted;
  return withRead(counted, { from: replaces, to: replaces, unread });
}

type Range = Pick<NotificationsRead['data'], 'from' | 'to'>;

/** The number of unread ones when `from` to `to` are read as well. */
export function unreadWith(state: Noticed, { from, to }: Range): number {
  const { readTo, readSingly } = noticesOf(state);
  const first = Math.max(from, readTo + 1);
  const known = readSingly.filter((n) => n >= first && n <= to).length;
  return unreadOf(state) - Math.max(0, to - first + 1 - known);
}

/** The state after `from` to `to` were read. */
export function withRead<State extends Noticed>(
  state: State,
  { from, to, unread }: NotificationsRead['data'],
): State {
  const { count, readTo, readSingly } = noticesOf(state);
  assert(from >= 1 && from <= to && to <= count, 'a read notification exists');
  assert(unread === unreadWith(state, { from, to }), 'a read notification is no longer counted');
  const beyond = from > readTo + 1;
  assert(!beyond || from === to, 'notifications out of order are read one by one');
  const singly = new Set(beyond ? [...readSingly, from] : readSingly.filter((n) => n > to));
  let upTo = beyond ? readTo : Math.max(readTo, to);
  while (singly.delete(upTo + 1)) upTo++;
  const notices = { count, readTo: upTo, readSingly: [...singly].sort((a, b) => a - b) };
  return { ...state, notices };
}

/** The ranges to read for `which`: none if it is read already, null if it does not exist. */
export function rangesToRead(state: Noticed, which: number | 'all'): readonly Range[] | null {
  const { count, readTo, readSingly } = noticesOf(state);
  if (which === 'all') return unreadOf(state) === 0 ? [] : [{ from: readTo + 1, to: count }];
  if (!Number.isInteger(which) || which < 1 || which > count) return null;
  if (isRead(state, which)) return [];
  const only = { from: which, to: which };
  const [first] = readSingly;
  if (first === undefined || readSingly.length < READ_SINGLY_MAX) return [only];
  const oldest = { from: readTo + 1, to: Math.min(which, first - 1) };
  return which < first ? [oldest] : [only, oldest];
}
