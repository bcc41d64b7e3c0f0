import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Actor, Amount, FilterLink } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { eventColumns } from '../../components/event-columns.tsx';
import { EvidenceButton } from '../../components/evidence-button.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Fact, PageHead, Panel } from '../../components/panel.tsx';
import { Hold } from '../../components/sentence.tsx';
import { PlayerWithStanding } from '../../components/standing.tsx';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useTitle } from '../../lib/use-title.ts';
import type { WithdrawalData } from './data.ts';
import { Risks } from './risks.tsx';
import { WithdrawalActions } from './withdrawal-actions.tsx';
import { Status } from './withdrawals.tsx';

/** One withdrawal with its history. */
export function WithdrawalPage() {
  useTitle('Withdrawal');
  const { withdrawal = '' } = useParams();
  const query = useQuery({
    ...read('withdrawal', { params: { withdrawal } }),
    refetchInterval: LIVE_EVERY_MS,
  });
  return (
    <Loaded query={query} rows={10}>
      {(data) => (
        <>
          <PageHead
            title={
              <>
                Withdrawal <Amount amount={data.amount} />
              </>
            }
            aside={
              <>
                <EvidenceButton of="withdrawal" id={data.withdrawal} />
                <WithdrawalActions withdrawal={data} />
              </>
            }
          >
            <span className="font-mono text-xs">{data.withdrawal}</span>
          </PageHead>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Facts withdrawal={data} />
            <div className="grid min-w-0 gap-4">
              <Panel title="Risk flags">
                <Risks risks={data.risks} />
              </Panel>
              <Events withdrawal={data} />
            </div>
          </div>
        </>
      )}
    </Loaded>
  );
}

function Facts({ withdrawal: data }: { withdrawal: WithdrawalData }) {
  return (
    <Panel title="Withdrawal" aside={<Status withdrawal={data} />}>
      <dl>
        <Fact label="Player">
          <PlayerWithStanding {...data.player} />
        </Fact>
        <Fact label="To">
          <span className="font-mono text-xs">{data.to_address}</span>
        </Fact>
        <Fact label="Gross">
          <Amount amount={data.amount} />
        </Fact>
        <Fact label="Fee">
          <Amount amount={data.fee} />
        </Fact>
        <Fact label="Net">
          <Amount amount={data.net} />
        </Fact>
        <Fact label="Approvals">
          <span className="font-mono">
            {data.approved_by.length}/{data.approvals_needed}
          </span>{' '}
          {data.approved_by.map((actor) => (
            <span key={actor} className="mr-2">
              <Actor actor={actor} />
            </span>
          ))}
        </Fact>
        <Fact label="Attempts">
          <span className="font-mono">{formatInteger(data.attempts)}</span>
        </Fact>
        {data.signature && (
          <Fact label="Transaction">
            <FilterLink token={`signature:${data.signature}`}>{data.signature}</FilterLink>
          </Fact>
        )}
        {data.last_valid_block_height !== null && (
          <Fact label="Valid to block">
            <span className="font-mono">{formatInteger(data.last_valid_block_height)}</span>
          </Fact>
        )}
        {data.reason && <Fact label="Reason">{data.reason}</Fact>}
        {data.hold && (
          <Fact label="On hold">
            <span className="text-coral">
              <Hold hold={data.hold} />
            </span>
          </Fact>
        )}
      </dl>
      {data.transaction && (
        <details className="mt-2 text-fg-3 text-xs">
          <summary className="min-h-8 py-1.5">Signed transaction bytes</summary>
          <p className="break-all font-mono">{data.transaction}</p>
        </details>
      )}
    </Panel>
  );
}

type Event = WithdrawalData['events'][number];

function Events({ withdrawal }: { withdrawal: WithdrawalData }) {
  const events = eventColumns();
  const columns: Column<Event>[] = [
    events.position(),
    events.time(),
    events.what(),
    events.actor(),
  ];
  return (
    <Panel flush title="History">
      <DataTable
        label="History"
        rows={withdrawal.events}
        columns={columns}
        idOf={({ position }) => String(position)}
      />
    </Panel>
  );
}
