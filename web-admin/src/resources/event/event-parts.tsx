import type { AdminData } from '@reelbook/contract/admin/routes';
import { CrossIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { Link } from 'react-router';
import { Changes } from '../../components/changes.tsx';
import { Actor, Amount, FilterLink, PlayerLink } from '../../components/chips.tsx';
import { CopyButton } from '../../components/copy-button.tsx';
import { Fact, Panel } from '../../components/panel.tsx';
import { accountPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { useTexts } from '../../lib/texts.ts';

export type EventData = AdminData<'event'>;

/** Faults that the server found in the event. */
export function Faults({ faults }: { faults: EventData['faults'] }) {
  const { t } = useTexts();
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="mb-4 rounded-md border border-coral bg-coral-soft px-4 py-3">
      <p className="flex items-center gap-2 font-semibold text-coral">
        <CrossIcon />
        {t('event.failed')}
      </p>
      <ul className="mt-1 text-sm">
        {faults.map(({ check, message }) => (
          <li key={check + message} lang="en">
            <span className="font-mono text-xs">{check}</span>: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function EventFacts({ event }: { event: EventData }) {
  const { t } = useTexts();
  return (
    <Panel title={t('event.facts')}>
      <dl>
        {event.player && (
          <Fact label={t('explorer.column.player')}>
            <PlayerLink {...event.player} />
          </Fact>
        )}
        <Fact label={t('event.stream')}>
          <span className="font-mono text-xs">{event.stream}</span>{' '}
          <span className="text-fg-3">
            {t('event.version', { n: formatInteger(event.version) })}
          </span>
        </Fact>
        <Fact label={t('explorer.column.actor')}>
          <Actor actor={event.actor} />
        </Fact>
        {event.round !== null && (
          <Fact label={t('event.round')}>
            <FilterLink token={`round:${event.round}`}>{event.round}</FilterLink>
          </Fact>
        )}
        <Fact label={t('event.hash')}>
          <span className="font-mono text-xs" title={event.hash}>
            {event.hash.slice(0, 16)} … {event.hash.slice(-16)}
          </span>
          <CopyButton text={event.hash} />
        </Fact>
        <Fact label={t('event.seal')}>
          {event.seal === null
            ? t('event.notSealed')
            : t('event.inSeal', { n: formatInteger(event.seal) })}
        </Fact>
      </dl>
    </Panel>
  );
}

/** Postings per asset, with their sum, which must be zero. */
export function Postings({ event }: { event: EventData }) {
  const { t } = useTexts();
  if (event.postings.length === 0) {
    return (
      <Panel title={t('event.postings')}>
        <p className="text-fg-3 text-sm">{t('event.noPostings')}</p>
      </Panel>
    );
  }
  return (
    <Panel title={t('event.postings')}>
      {event.sums.map((sum) => (
        <div key={sum.asset} className="mb-2 last:mb-0">
          {event.postings
            .filter(({ amount }) => amount.asset === sum.asset)
            .map(({ account, amount }, order) => (
              <p key={order} className="ledger-line">
                <Account account={account} />
                <Amount amount={amount} signed />
              </p>
            ))}
          <p className="ledger-line">
            <span>{t('event.sum')}</span>
            <span className={sum.minor === '0' ? '' : 'font-semibold text-coral'}>
              <Amount amount={sum} signed />
            </span>
          </p>
        </div>
      ))}
    </Panel>
  );
}

export function Account({ account }: { account: string }) {
  const wallet = /^player:(.+)$/.exec(account)?.[1];
  const here = useHere();
  return wallet ? (
    <PlayerLink wallet={wallet} />
  ) : (
    <Link
      to={here(accountPath(account))}
      className="font-mono text-xs hover:text-brass hover:underline"
    >
      {account}
    </Link>
  );
}

/** Changes of the stream's state by the event. */
export function StateChange({ event }: { event: EventData }) {
  const { t } = useTexts();
  const { state, state_missing: missing } = event;
  return (
    <Panel
      title={t('event.state')}
      aside={
        <span className="font-mono text-xs">
          {t('event.versions', { from: event.version - 1, to: event.version })}
        </span>
      }
    >
      {state === null ? (
        <p className="text-fg-2 text-sm">{missing}</p>
      ) : (
        <Changes changes={state.changes} />
      )}
    </Panel>
  );
}
