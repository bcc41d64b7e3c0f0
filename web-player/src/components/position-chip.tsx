import { formatInteger } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { EVENT_PARAM, ROUND_PARAM } from '../lib/paths.ts';

const SHAPE = `inline-flex h-7 items-center rounded-sm border border-line bg-ink-2 px-2
  font-mono text-xs text-fg-2`;

/**
 * The position of an event in the ledger. With one of the player's rounds it opens the proof of the round, with another
 * event of the player (`own`) the proof of that event; without either it is only text.
 */
export function PositionChip(props: { position: number; roundId?: string; own?: boolean }) {
  const { position, roundId, own = false } = props;
  const { t } = useTranslation();
  const { pathname, search: current } = useLocation();
  const text = (
    <>
      <span className="text-brass">#</span>
      {formatInteger(position)}
    </>
  );
  if (!roundId && !own) {
    return (
      <span className={SHAPE} title={t('common.position')}>
        {text}
      </span>
    );
  }
  // The rest of the query holds the filters of the page.
  const query = new URLSearchParams(current);
  query.delete(ROUND_PARAM);
  query.delete(EVENT_PARAM);
  query.set(roundId ? ROUND_PARAM : EVENT_PARAM, roundId ?? String(position));
  return (
    <Link
      to={{ pathname, search: `?${query}` }}
      preventScrollReset
      className={`chip-link ${SHAPE} hover:border-brass hover:text-fg`}
      aria-label={t('common.openProof', { position: formatInteger(position) })}
    >
      {text}
    </Link>
  );
}
