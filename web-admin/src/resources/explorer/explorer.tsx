import { Button } from '@reelbook/web/components/button';
import { DownloadIcon } from '@reelbook/web/components/icons';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { PageHead } from '../../components/panel.tsx';
import { filterQuery } from '../../lib/filter.ts';
import { part } from '../../lib/parts.ts';
import { SELECTED_PARAM } from '../../lib/paths.ts';
import { useAt } from '../../lib/point-in-time.ts';
import { useMay } from '../../lib/roles.ts';
import { useFilter } from '../../lib/use-filter.ts';
import { useTitle } from '../../lib/use-title.ts';
import type { ExplorerFilter } from './data.ts';
import { EventList } from './event-list.tsx';
import { TokenFaults } from './token-faults.tsx';

const ExportDialog = part(async () => (await import('./export-dialog.tsx')).ExportDialog);
const EventAside = part(async () => (await import('../event/event-aside.tsx')).EventAside);

/** The events that match the search line, newest first, live or as of a past point in time. */
export function Explorer() {
  useTitle('Explorer');
  const [at] = useAt();
  const [tokens] = useFilter();
  const may = useMay();
  const [exporting, setExporting] = useState(false);
  const [selected, select] = useSelected();
  const { query, invalid } = filterQuery(tokens);
  const isValid = invalid.length === 0;
  const filter = boundedBy(query as ExplorerFilter, at);
  return (
    <>
      <PageHead
        title="Explorer"
        aside={
          may('auditor') && (
            <Button size="small" disabled={!isValid} onClick={() => setExporting(true)}>
              <DownloadIcon />
              Export
            </Button>
          )
        }
      />
      {!isValid && <TokenFaults tokens={invalid} />}
      <div hidden={!isValid} className={`explorer ${selected === null ? '' : 'explorer-split'}`}>
        {isValid && (
          <EventList
            key={JSON.stringify(filter)}
            filter={filter}
            isLive={at === null}
            selected={selected}
            onSelect={select}
          />
        )}
        {selected !== null && <EventAside position={selected} onClose={() => select(null)} />}
      </div>
      {exporting && isValid && <ExportDialog filter={filter} onClose={() => setExporting(false)} />}
    </>
  );
}

/** Limits the filter to events up to `at`. */
function boundedBy(filter: ExplorerFilter, at: number | null): ExplorerFilter {
  if (at === null) return filter;
  return { ...filter, to_position: Math.min(at, filter.to_position ?? at) };
}

/** The selected event, from the URL. */
function useSelected(): readonly [number | null, (position: number | null) => void] {
  const [search, setSearch] = useSearchParams();
  const text = search.get(SELECTED_PARAM);
  const selected = text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  const select = (position: number | null) =>
    setSearch(
      (now) => {
        if (position === null) now.delete(SELECTED_PARAM);
        else now.set(SELECTED_PARAM, String(position));
        return now;
      },
      { replace: true, preventScrollReset: true },
    );
  return [selected, select];
}
