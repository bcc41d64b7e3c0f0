import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Actor, Amount, FilterLink, PlayerLink } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useEventColumns } from '../../components/event-columns.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Fact, PageHead, Panel } from '../../components/panel.tsx';
import { Hold } from '../../components/sentence.tsx';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import type { WithdrawalData } from './data.ts';
import { Risks } from './risks.tsx';
import { WithdrawalActions } from './withdrawal-acts.tsx';
import { Status } from './withdrawals.tsx';

/** A withdrawal and all that became of it. */
export function WithdrawalPage() {
  const { t } = useTexts();
  useTitle(t('desk.withdrawal'));
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
                {t('desk.withdrawal')} <Amount amount={data.amount} />
              </>
            }
            aside={<WithdrawalActions withdrawal={data} />}
          >
            <span className="font-mono text-xs">{data.withdrawal}</span>
          </PageHead>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Facts withdrawal={data} />
            <div className="grid min-w-0 gap-4">
              <Panel title={t('desk.risks')}>
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
  const { t } = useTexts();
  return (
    <Panel title={t('desk.withdrawal')} aside={<Status withdrawal={data} />}>
      <dl>
        <Fact label={t('explorer.column.player')}>
          <PlayerLink {...data.player} />
        </Fact>
        <Fact label={t('desk.to')}>
          <span className="font-mono text-xs">{data.to_address}</span>
        </Fact>
        <Fact label={t('desk.gross')}>
          <Amount amount={data.amount} />
        </Fact>
        <Fact label={t('desk.fee')}>
          <Amount amount={data.fee} />
        </Fact>
        <Fact label={t('desk.net')}>
          <Amount amount={data.net} />
        </Fact>
        <Fact label={t('desk.approvals')}>
          <span className="font-mono">
            {data.approved_by.length}/{data.approvals_needed}
          </span>{' '}
          {data.approved_by.map((actor) => (
            <span key={actor} className="mr-2">
              <Actor actor={actor} />
            </span>
          ))}
        </Fact>
        <Fact label={t('desk.attempts')}>
          <span className="font-mono">{formatInteger(data.attempts)}</span>
        </Fact>
        {data.signature && (
          <Fact label={t('desk.signature')}>
            <FilterLink token={`signature:${data.signature}`}>{data.signature}</FilterLink>
          </Fact>
        )}
        {data.last_valid_block_height !== null && (
          <Fact label={t('desk.validTo')}>
            <span className="font-mono">{formatInteger(data.last_valid_block_height)}</span>
          </Fact>
        )}
        {data.reason && <Fact label={t('act.reason')}>{data.reason}</Fact>}
        {data.hold && (
          <Fact label={t('desk.hold')}>
            <span className="text-coral">
              <Hold hold={data.hold} />
            </span>
          </Fact>
        )}
      </dl>
      {data.transaction && (
        <details className="mt-2 text-fg-3 text-xs">
          <summary className="min-h-8 py-1.5">{t('desk.bytes')}</summary>
          <p className="break-all font-mono">{data.transaction}</p>
        </details>
      )}
    </Panel>
  );
}

type Event = WithdrawalData['events'][number];

function Events({ withdrawal }: { withdrawal: WithdrawalData }) {
  const { t } = useTexts();
  const events = useEventColumns();
  const columns: Column<Event>[] = [
    events.position(),
    events.time(),
    events.what(),
    events.actor(),
  ];
  return (
    <Panel flush title={t('desk.events')}>
      <DataTable
        label={t('desk.events')}
        rows={withdrawal.events}
        columns={columns}
        idOf={({ position }) => String(position)}
      />
    </Panel>
  );
}
