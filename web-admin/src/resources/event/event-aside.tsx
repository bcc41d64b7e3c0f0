import { buttonClass } from '@reelbook/web/components/button';
import { CloseIcon } from '@reelbook/web/components/icons';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { Loaded } from '../../components/loading.tsx';
import { eventPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { read } from '../../lib/queries.ts';
import { CauseGraph, EventFacts, Faults, Postings, StateChange } from './event-parts.tsx';

/** An event next to the list. */
export function EventAside({ position, onClose }: { position: number; onClose(): void }) {
  const here = useHere();
  const query = useQuery(read('event', { params: { position: String(position) } }));
  return (
    <aside className="explorer-aside flex flex-col gap-4" aria-label="Selected event">
      <div className="flex items-center justify-between gap-2">
        <Link to={here(eventPath(position))} className={buttonClass('plain', 'small')}>
          Open #{formatInteger(position)}
        </Link>
        <button
          type="button"
          className="grid size-9 place-items-center rounded-sm text-fg-2 hover:bg-ink-3"
          aria-label="Close event"
          onClick={onClose}
        >
          <CloseIcon />
        </button>
      </div>
      <Loaded query={query}>
        {(event) => (
          <>
            <Faults faults={event.faults} />
            <EventFacts event={event} />
            <Postings event={event} />
            <StateChange event={event} />
            <CauseGraph position={position} />
          </>
        )}
      </Loaded>
    </aside>
  );
}
