import { Button } from '@reelbook/web/components/button';
import { DownloadIcon } from '@reelbook/web/components/icons';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { PageHead } from '../../components/panel.tsx';
import { filterQuery, type Token, useFilter, writeToken } from '../../lib/filter.ts';
import { part } from '../../lib/parts.ts';
import { SELECTED_PARAM } from '../../lib/paths.ts';
import { useAt } from '../../lib/point-in-time.ts';
import { useMay } from '../../lib/session-store.ts';
import { useTitle } from '../../lib/use-title.ts';
import type { ExplorerFilter } from './data.ts';
import { EventList } from './event-list.tsx';

/** Why the tokens are invalid. The list stays empty meanwhile: without them it would show more than was asked for. */
export function TokenFaults({ tokens }: { tokens: readonly Token[] }) {
  return (
    <div
      role="alert"
      className="mb-4 rounded-md border border-coral bg-coral-soft px-4 py-3 text-sm"
    >
      <p className="font-semibold">This filter is not valid. No events are listed.</p>
      <ul className="mt-1">
        {tokens.map((token) => (
          <li key={writeToken(token)} className="wrap-anywhere">
            {faultOf(token)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function faultOf(token: Token): string {
  const { key, value } = token;
  const text = writeToken(token);
  switch (key) {
    case 'type':
      return `Unknown event type "${value}".`;
    case 'asset':
      return `${text}: the asset is points or token.`;
    case 'amount':
      return `${text}: an amount is a number such as 30 or 30.00, with at most two decimals for points.`;
    case 'since':
    case 'until':
      return `${text}: a time is such as 2026-11-17 or 2026-11-17T06:30.`;
    case 'position':
      return `${text}: a position is a number from 1, such as 4118.`;
    case 'kind':
      return `Unknown kind of stream "${value}".`;
    case 'actor':
      return `${text}: an actor is player:…, operator:… or system:….`;
    case 'signature':
      return `${text}: this is not a transaction signature.`;
    case 'hash':
      return `${text}: a filter needs all 64 digits of a hash. Search for its start without "hash:".`;
    case 'direction':
      return `${text}: the direction is credit or debit, with an asset.`;
    case 'account':
      return `Unknown account "${value}".`;
    case 'unknown':
      return `"${value}" is not a filter. Type it in the search to look it up.`;
    default:
      return `${text} is not valid.`;
  }
}

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
