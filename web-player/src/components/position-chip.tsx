import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { whole } from '../lib/format.ts';
import { ROUND_PARAM } from '../lib/paths.ts';

const SHAPE = `inline-flex h-7 items-center rounded-sm border border-line bg-ink-2 px-2
  font-mono text-xs text-fg-2`;

/**
 * The place of an event in the book. With a round of this player's own it opens the round's proof;
 * without one it only says the place.
 */
export function PositionChip({ position, roundId }: { position: number; roundId?: string }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const text = (
    <>
      <span className="text-brass">#</span>
      {whole(position)}
    </>
  );
  if (!roundId) {
    return (
      <span className={SHAPE} title={t('common.position')}>
        {text}
      </span>
    );
  }
  return (
    <Link
      to={{ pathname, search: `?${ROUND_PARAM}=${encodeURIComponent(roundId)}` }}
      preventScrollReset
      className={`chip-link ${SHAPE} hover:border-brass hover:text-fg`}
      aria-label={t('common.openProof', { position: whole(position) })}
    >
      {text}
    </Link>
  );
}
