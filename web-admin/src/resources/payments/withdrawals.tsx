import type { AdminData } from '@reelbook/admin/answers';
import { risks as english } from '@reelbook/contract/english';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearchParams } from 'react-router';
import { Amount } from '../../components/chips.tsx';
import { type Column, PagedTable } from '../../components/data-table.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { Sentence } from '../../components/sentence.tsx';
import { PlayerWithStanding } from '../../components/standing.tsx';
import { Time } from '../../components/time.tsx';
import { api } from '../../lib/api.ts';
import { withdrawalPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { LIVE_EVERY_MS } from '../../lib/queries.ts';
import { useTitle } from '../../lib/use-title.ts';

export type Withdrawal = AdminData<'withdrawals'>['withdrawals'][number];
export type WithdrawalData = AdminData<'withdrawal'>;

const HEAVY = 2;
const TEMPLATES: Readonly<Record<string, string>> = english;

/** Risk flags of a withdrawal. Brass: check. Coral: likely a reason to deny. */
export function Risks({ risks }: { risks: Withdrawal['risks'] }) {
  if (risks.length === 0) return <span className="text-fg-3 text-xs">none</span>;
  return (
    <span className="inline-flex flex-wrap gap-1.5">
      {risks.map(({ code, facts, text, weight }) => (
        <Badge key={code} tone={weight >= HEAVY ? 'bad' : 'brass'}>
          <Sentence template={TEMPLATES[code]} facts={facts} text={text} />
        </Badge>
      ))}
    </span>
  );
}

const SHOWN = ['open', 'requested', 'approved', 'signed', 'finalized', 'released', 'all'] as const;

const STATUS_NAMES = {
  open: 'Open',
  all: 'All',
  requested: 'Requested',
  approved: 'Approved',
  signed: 'Sent',
  finalized: 'Finalized',
  released: 'Returned',
};

/** Withdrawals by status, with their risk flags. */
export function Withdrawals() {
  useTitle('Withdrawals');
  const [search, setSearch] = useSearchParams();
  const status = SHOWN.find((one) => one === search.get('status')) ?? 'open';
  return (
    <>
      <PageHead title="Withdrawals">
        Open withdrawals are listed oldest first. Above the threshold, two operators must approve.
      </PageHead>
      <div className="mb-4 flex flex-wrap gap-2">
        {SHOWN.map((one) => (
          <Button
            key={one}
            size="small"
            look={one === status ? 'primary' : 'plain'}
            aria-pressed={one === status}
            onClick={() =>
              setSearch((now) => {
                now.set('status', one);
                return now;
              })
            }
          >
            {STATUS_NAMES[one]}
          </Button>
        ))}
      </div>
      <List key={status} status={status} />
    </>
  );
}

function List({ status }: { status: (typeof SHOWN)[number] }) {
  const navigate = useNavigate();
  const here = useHere();
  const columns = columnsOf();
  const query = useInfiniteQuery({
    queryKey: ['withdrawals', status],
    queryFn: ({ pageParam, signal }) =>
      api.call('withdrawals', {
        query: { status, ...(pageParam === null ? {} : { before: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: LIVE_EVERY_MS * 2,
  });
  const first = query.data?.pages[0];
  const rows = query.data?.pages.flatMap(({ withdrawals }) => withdrawals) ?? [];
  return (
    <Panel
      flush
      title={STATUS_NAMES[status]}
      aside={
        first && (
          <>
            {!first.enabled && <Badge tone="bad">paused by the configuration</Badge>}
            <span>
              Auto-approved up to <Amount amount={first.threshold} />
            </span>
          </>
        )
      }
    >
      <PagedTable
        query={query}
        empty="No withdrawals. New ones appear here automatically."
        label="Withdrawals"
        rows={rows}
        columns={columns}
        idOf={({ withdrawal }) => withdrawal}
        onOpen={({ withdrawal }) => void navigate(here(withdrawalPath(withdrawal)))}
      />
    </Panel>
  );
}

function columnsOf(): Column<Withdrawal>[] {
  return [
    {
      id: 'withdrawal',
      header: 'Withdrawal',
      cell: ({ row }) => (
        <span className="text-fg-2 text-xs">
          <Time iso={row.original.requested_at} />
        </span>
      ),
      meta: { phone: 'lead' },
    },
    {
      id: 'player',
      header: 'Player',
      cell: ({ row }) => <PlayerWithStanding {...row.original.player} />,
    },
    {
      id: 'amount',
      header: 'Gross',
      cell: ({ row }) => <Amount amount={row.original.amount} />,
      meta: { end: true, phone: 'end' },
    },
    {
      id: 'net',
      header: 'Net',
      cell: ({ row }) => <Amount amount={row.original.net} unit={false} />,
      meta: { end: true, phone: 'hide' },
    },
    {
      id: 'risks',
      header: 'Risk flags',
      cell: ({ row }) => <Risks risks={row.original.risks} />,
    },
    {
      id: 'approvals',
      header: 'Approvals',
      cell: ({ row }) => (
        <span className="font-mono">
          {row.original.approved_by.length}/{row.original.approvals_needed}
        </span>
      ),
      meta: { end: true },
    },
    {
      id: 'status',
      header: 'Status',
      cell: ({ row }) => <Status withdrawal={row.original} />,
    },
  ];
}

const TONES = {
  requested: 'brass',
  approved: 'plain',
  signed: 'plain',
  finalized: 'good',
  released: 'bad',
} as const;

/** Status of a withdrawal, with its transaction. */
export function Status({ withdrawal }: { withdrawal: Pick<Withdrawal, 'status' | 'signature'> }) {
  const { status, signature } = withdrawal;
  return (
    <span className="inline-flex flex-wrap items-center gap-2 whitespace-nowrap">
      <Badge tone={TONES[status]}>{STATUS_NAMES[status]}</Badge>
      {signature && (
        <span className="font-mono text-fg-3 text-xs" title={signature} data-value={signature}>
          {shortAddress(signature)}
        </span>
      )}
    </span>
  );
}
