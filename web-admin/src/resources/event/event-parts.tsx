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

export type EventData = AdminData<'event'>;

/** Faults that the server found in the event. */
export function Faults({ faults }: { faults: EventData['faults'] }) {
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="mb-4 rounded-md border border-coral bg-coral-soft px-4 py-3">
      <p className="flex items-center gap-2 font-semibold text-coral">
        <CrossIcon />
        Verification failed
      </p>
      <ul className="mt-1 text-sm">
        {faults.map(({ check, message }) => (
          <li key={check + message}>
            <span className="font-mono text-xs">{check}</span>: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

export function EventFacts({ event }: { event: EventData }) {
  return (
    <Panel title="Event">
      <dl>
        {event.player && (
          <Fact label="Player">
            <PlayerLink {...event.player} />
          </Fact>
        )}
        <Fact label="Stream">
          <span className="font-mono text-xs">{event.stream}</span>{' '}
          <span className="text-fg-3">version {formatInteger(event.version)}</span>
        </Fact>
        <Fact label="Actor">
          <Actor actor={event.actor} />
        </Fact>
        {event.round !== null && (
          <Fact label="Round">
            <FilterLink token={`round:${event.round}`}>{event.round}</FilterLink>
          </Fact>
        )}
        <Fact label="Hash">
          <span className="font-mono text-xs" title={event.hash}>
            {event.hash.slice(0, 16)} … {event.hash.slice(-16)}
          </span>
          <CopyButton text={event.hash} />
        </Fact>
        <Fact label="Seal">
          {event.seal === null ? 'not sealed yet' : `in seal ${formatInteger(event.seal)}`}
        </Fact>
      </dl>
    </Panel>
  );
}

/** Postings per asset, with their sum, which must be zero. */
export function Postings({ event }: { event: EventData }) {
  if (event.postings.length === 0) {
    return (
      <Panel title="Postings">
        <p className="text-fg-3 text-sm">This event has no postings.</p>
      </Panel>
    );
  }
  return (
    <Panel title="Postings">
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
            <span>Sum</span>
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
  const { state, state_missing: missing } = event;
  return (
    <Panel
      title="State change"
      aside={
        <span className="font-mono text-xs">
          version {event.version - 1} → {event.version}
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
