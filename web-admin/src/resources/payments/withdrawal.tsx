import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { Actor, Amount, FilterLink } from '../../components/chips.tsx';
import { type Column, DataTable } from '../../components/data-table.tsx';
import { useEventColumns } from '../../components/event-columns.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Fact, PageHead, Panel } from '../../components/panel.tsx';
import { Hold } from '../../components/sentence.tsx';
import { PlayerWithStanding } from '../../components/standing.tsx';
import { LIVE_EVERY_MS, read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import type { WithdrawalData } from './data.ts';
import { Risks } from './risks.tsx';
import { WithdrawalActions } from './withdrawal-actions.tsx';
import { Status } from './withdrawals.tsx';

/** One withdrawal with its history. */
export function WithdrawalPage() {
  const { t } = useTexts();
  useTitle(t('withdrawal.title'));
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
                {t('withdrawal.title')} <Amount amount={data.amount} />
              </>
            }
            aside={<WithdrawalActions withdrawal={data} />}
          >
            <span className="font-mono text-xs">{data.withdrawal}</span>
          </PageHead>
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <Facts withdrawal={data} />
            <div className="grid min-w-0 gap-4">
              <Panel title={t('withdrawal.risks')}>
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
    <Panel title={t('withdrawal.title')} aside={<Status withdrawal={data} />}>
      <dl>
        <Fact label={t('explorer.column.player')}>
          <PlayerWithStanding {...data.player} />
        </Fact>
        <Fact label={t('withdrawal.to')}>
          <span className="font-mono text-xs">{data.to_address}</span>
        </Fact>
        <Fact label={t('withdrawal.gross')}>
          <Amount amount={data.amount} />
        </Fact>
        <Fact label={t('withdrawal.fee')}>
          <Amount amount={data.fee} />
        </Fact>
        <Fact label={t('withdrawal.net')}>
          <Amount amount={data.net} />
        </Fact>
        <Fact label={t('withdrawal.approvals')}>
          <span className="font-mono">
            {data.approved_by.length}/{data.approvals_needed}
          </span>{' '}
          {data.approved_by.map((actor) => (
            <span key={actor} className="mr-2">
              <Actor actor={actor} />
            </span>
          ))}
        </Fact>
        <Fact label={t('withdrawal.attempts')}>
          <span className="font-mono">{formatInteger(data.attempts)}</span>
        </Fact>
        {data.signature && (
          <Fact label={t('withdrawal.signature')}>
            <FilterLink token={`signature:${data.signature}`}>{data.signature}</FilterLink>
          </Fact>
        )}
        {data.last_valid_block_height !== null && (
          <Fact label={t('withdrawal.validTo')}>
            <span className="font-mono">{formatInteger(data.last_valid_block_height)}</span>
          </Fact>
        )}
        {data.reason && <Fact label={t('action.reason')}>{data.reason}</Fact>}
        {data.hold && (
          <Fact label={t('withdrawal.hold')}>
            <span className="text-coral">
              <Hold hold={data.hold} />
            </span>
          </Fact>
        )}
      </dl>
      {data.transaction && (
        <details className="mt-2 text-fg-3 text-xs">
          <summary className="min-h-8 py-1.5">{t('withdrawal.bytes')}</summary>
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
    <Panel flush title={t('withdrawal.events')}>
      <DataTable
        label={t('withdrawal.events')}
        rows={withdrawal.events}
        columns={columns}
        idOf={({ position }) => String(position)}
      />
    </Panel>
  );
}
