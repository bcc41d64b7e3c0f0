import type { Achievement, NotificationPage, OpenSession } from '@reelbook/contract/player/profile';
import type { Protection } from '@reelbook/contract/player/protection';
import { readPlayed } from '@reelbook/inspection/count-used';
import { realityCheckOf } from '@reelbook/ledger/config/config';
import { toNumber } from '@reelbook/ledger/money';
import type { Notification } from '@reelbook/ledger/player/notice-facts';
import { isRead, unreadOf } from '@reelbook/ledger/player/notices';
import type { Played } from '@reelbook/ledger/player/protection-events';
import { checkOf, decidedAt, protectionAt } from '@reelbook/ledger/player/protection-state';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { readAchievements } from '@reelbook/projections/achievements/projection';
import { readDestinations } from '@reelbook/projections/entries/history';
import { readNotifications } from '@reelbook/projections/notifications/projection';
import { noticeAnswer, protectionAnswer } from '../answers/player.ts';
import type { Gateway } from '../context.ts';
import type { LiveSession } from '../sessions.ts';
import { readPlayer } from './player.ts';

/** All achievements of a player. Amounts are in points. */
export async function readAchievementList(
  { pool }: Pick<Gateway, 'pool'>,
  wallet: string,
): Promise<Achievement[]> {
  const all = await readAchievements(pool, wallet);
  return all.map(({ name, counts, reached, from, earned }) => {
    const shown = (n: bigint) => (counts.endsWith('Minor') ? toNumber('points', n) : Number(n));
    return {
      name,
      reached: shown(reached),
      target: shown(from),
      earned_at: earned?.at ?? null,
      position: earned?.position ?? null,
    };
  });
}

export async function readSessions(
  { sessions }: Pick<Gateway, 'sessions'>,
  { wallet, name }: LiveSession,
): Promise<OpenSession[]> {
  const listed = await sessions.list(wallet);
  return listed.map((one) => ({
    id: one.family,
    current: one.family === name,
    sign_in: one.signIn,
    started_at: one.startedAt,
    refreshed_at: one.refreshedAt,
    expires_at: one.expiresAt,
  }));
}

/** Current limits, exclusion, reality check and session of a player. */
export async function readProtection(
  gateway: Pick<Gateway, 'pool' | 'config' | 'clock'>,
  wallet: string,
): Promise<Protection> {
  return describeProtection(gateway, await readPlayer(gateway, wallet));
}

/** As `readProtection`, of a known state. */
export async function describeProtection(
  { pool, config, clock }: Pick<Gateway, 'pool' | 'config' | 'clock'>,
  {
    state,
    ...at
  }: Pick<Awaited<ReturnType<typeof readPlayer>>, 'version' | 'position'> & {
    readonly state: PlayerState;
  },
): Promise<Protection> {
  const nowMs = await clock.agreedMs();
  const realityCheckMs = realityCheckOf(config.current().config);
  const play = await sessionOf(pool, state, { version: at.version, nowMs });
  return protectionAnswer(state, { nowMs, realityCheckMs, ...at, play });
}

/** The session that reality checks count, if the state has one. */
async function sessionOf(
  pool: Gateway['pool'],
  state: PlayerState,
  at: { readonly version: number; readonly nowMs: number },
): Promise<Played | null> {
  if (!state.protection?.play) return readPlayed(pool, { wallet: state.wallet, ...at });
  return checkOf(protectionAt(state, decidedAt(state, at.nowMs)), null).play;
}

type Named = Pick<Notification, 'kind' | 'facts'>;

/** Names the receiving wallets of paid withdrawals, which are in their requests only. */
export async function withDestinations<Of extends Named>(
  { pool }: Pick<Gateway, 'pool'>,
  notices: readonly Of[],
): Promise<readonly Of[]> {
  const paid = notices.flatMap(({ kind, facts }) =>
    kind === 'withdrawal-paid' ? [String(facts.withdrawal)] : [],
  );
  if (paid.length === 0) return notices;
  const destinations = await readDestinations(pool, paid);
  return notices.map((one) => {
    const to = destinations.get(String(one.facts.withdrawal));
    if (to === undefined) return one;
    const named: Named = { kind: 'withdrawal-paid-to', facts: { ...one.facts, to } };
    return { ...one, ...named };
  });
}

/**
 * A page of notifications. The list is from the projection; the read marks and the unread count are from the current state
 * of the player, so that they are never older than a previous response.
 */
export async function readNotificationPage(
  { pool }: Pick<Gateway, 'pool'>,
  options: { readonly wallet: string; readonly page: number; readonly pageSize: number },
): Promise<NotificationPage> {
  const { items: notices, total } = await readNotifications(pool, options);
  const items = await withDestinations({ pool }, notices);
  const { state, version } = await readPlayer({ pool }, options.wallet);
  return {
    items: items.map((notice) => ({
      id: notice.id,
      ...noticeAnswer(notice),
      created_at: notice.createdAt,
      read: isRead(state, notice.n),
    })),
    page: options.page,
    page_size: options.pageSize,
    total,
    unread_count: unreadOf(state),
    stream_version: version,
  };
}
