import type { Standing } from '@reelbook/admin/answers';
import { Badge } from '@reelbook/web/components/badge';
import { dateTimeText } from '../lib/times.ts';
import { Actor, PlayerLink, PositionChip } from './chips.tsx';

const KINDS = ['suspended', 'excluded'] as const;

const STANDINGS = {
  suspended: 'Suspended',
  excluded: 'Excluded',
};

/** Since when, by whom and why a player is suspended or excluded, with the event. Renders nothing for an active player. */
export function StandingOf(props: { standing: Standing; withBadge?: boolean }) {
  const { standing, withBadge = true } = props;
  return KINDS.map((kind) => {
    const decided = standing[kind];
    if (!decided) return null;
    const { since, by, reason, position } = decided;
    const until = 'until' in decided ? decided.until : undefined;
    return (
      <span
        key={kind}
        data-testid="standing"
        className="mt-1 flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-fg-2 text-xs"
      >
        {withBadge ? (
          <Badge tone="bad">{STANDINGS[kind]}</Badge>
        ) : (
          <span className="text-coral">{STANDINGS[kind]}</span>
        )}
        {until !== undefined && (
          <span>{until === null ? 'permanently' : `until ${minute(until)} UTC`}</span>
        )}
        <span>since {minute(since)} UTC, by</span>
        <Actor actor={by} />
        {reason !== null && <span className="wrap-anywhere">“{reason}”</span>}
        <PositionChip position={position} />
      </span>
    );
  });
}

/** A player in a list, with the standing below. */
export function PlayerWithStanding(player: {
  wallet: string;
  nickname: string | null;
  standing: Standing;
}) {
  return (
    <span>
      <PlayerLink {...player} />
      <StandingOf standing={player.standing} />
    </span>
  );
}

const minute = (iso: string) => dateTimeText(iso).slice(0, 16);
