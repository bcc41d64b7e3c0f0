import { Button } from '@reelbook/web/components/button';
import { DownloadIcon } from '@reelbook/web/components/icons';
import { useState } from 'react';
import { PageHead } from '../../components/panel.tsx';
import { filterQuery, type Token, useFilter, writeToken } from '../../lib/filter.ts';
import { part } from '../../lib/parts.ts';
import { SELECTED_PARAM } from '../../lib/paths.ts';
import { useAt, useParam } from '../../lib/point-in-time.ts';
import { useMay } from '../../lib/session-store.ts';
import { EventList } from './event-list.tsx';
import type { ExplorerFilter } from './use-tail.ts';

/** Why the tokens are invalid. The list stays empty meanwhile: without them it would show more than was asked for. */
function TokenFaults({ tokens }: { tokens: readonly Token[] }) {
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

const TIME = '{token}: a time is such as 2026-11-17 or 2026-11-17T06:30.';
/** What is wrong with a token, by its key. */
const FAULTS: Partial<Record<Token['key'], string>> = {
  type: 'Unknown event type "{value}".',
  asset: '{token}: the asset is points or token.',
  amount:
    '{token}: an amount is a number such as 30 or 30.00, with at most two decimals for points.',
  since: TIME,
  until: TIME,
  position: '{token}: a position is a number from 1, such as 4118.',
  kind: 'Unknown kind of stream "{value}".',
  actor: '{token}: an actor is player:…, operator:… or system:….',
  signature: '{token}: this is not a transaction signature.',
  hash: '{token}: a filter needs all 64 digits of a hash. Search for its start without "hash:".',
  direction: '{token}: the direction is credit or debit, with an asset.',
  account: 'Unknown account "{value}".',
  unknown: '"{value}" is not a filter. Type it in the search to look it up.',
};

const faultOf = (token: Token) =>
  (FAULTS[token.key] ?? '{token} is not valid.').replace(/{(\w+)}/, (_, name) =>
    name === 'value' ? token.value : writeToken(token),
  );

const ExportDialog = part(async () => (await import('./export-dialog.tsx')).ExportDialog);
const EventAside = part(async () => (await import('../event/event-parts.tsx')).EventAside);

/** The events that match the search line, newest first, live or as of a past point in time. */
export function Explorer() {
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
      <div
        hidden={!isValid}
        className={`grid grid-cols-[minmax(0,1fr)] items-start gap-4 ${
          selected === null ? '' : 'min-[1180px]:grid-cols-[minmax(0,1fr)_400px]'
        }`}
      >
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
  const [text, set] = useParam(SELECTED_PARAM);
  const selected = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null;
  return [selected, (position) => set(position === null ? '' : String(position))];
}
