import type { AdminData } from '@reelbook/contract/admin/routes';
import { formatInteger } from '@reelbook/web/format';
import { Amount } from '../../components/chips.tsx';
import type { Column } from '../../components/data-table.tsx';
import { useEventColumns } from '../../components/event-columns.tsx';
import { WalletNamed } from '../../components/operator-name.tsx';
import { Sentence, Term } from '../../components/sentence.tsx';
import { SettingName } from '../../components/setting-name.tsx';
import { valueText } from '../../lib/setting-texts.ts';
import { useTexts } from '../../lib/texts.ts';
import { dateTimeText } from '../../lib/times.ts';
import { useReturnColumns } from './return-table.tsx';

type GameRow = AdminData<'gamePerformance'>['rows'][number];
type LiabilityRow = AdminData<'liabilities'>['rows'][number];
type SignificantRow = AdminData<'significantEvents'>['rows'][number];

export function useGameColumns(): Column<GameRow>[] {
  const { t } = useTexts();
  return [
    ...useReturnColumns<GameRow>(),
    {
      id: 'status',
      header: t('round.status'),
      cell: ({ row }) => (
        <span className="whitespace-nowrap text-fg-2">
          <Term term={row.original.status} />
          {row.original.since && (
            <span className="ml-1 font-mono text-xs">{row.original.since}</span>
          )}
        </span>
      ),
    },
    {
      id: 'open',
      header: t('withdrawal.status.open'),
      cell: ({ row }) => (
        <span className="whitespace-nowrap">
          <span className="font-mono">{formatInteger(row.original.open_rounds)}</span>{' '}
          <Amount amount={row.original.open_stakes} unit={false} />
        </span>
      ),
      meta: { end: true },
    },
  ];
}

export function useLiabilityColumns(): Column<LiabilityRow>[] {
  const { t } = useTexts();
  const amount = (key: 'opening' | 'closing' | 'change'): Column<LiabilityRow> => ({
    id: key,
    header: t(`report.${key}`),
    cell: ({ row }) => <Amount amount={row.original[key]} signed={key === 'change'} />,
    meta: key === 'closing' ? { end: true, phone: 'end' } : { end: true },
  });
  return [
    {
      id: 'line',
      header: t('travel.line'),
      cell: ({ row }) => (
        <span>
          {row.original.line}{' '}
          <span className="text-fg-3">
            <Sentence of={`line.${row.original.line}`} facts={{}} text={row.original.what} />
          </span>
        </span>
      ),
      meta: { phone: 'lead' },
    },
    amount('opening'),
    amount('closing'),
    amount('change'),
  ];
}

export function useSignificantColumns(): Column<SignificantRow>[] {
  const { t } = useTexts();
  const events = useEventColumns();
  return [
    events.position(),
    events.time(dateTimeText),
    events.what(),
    events.actor(),
    {
      id: 'subject',
      header: t('report.subject'),
      cell: ({ row }) => <Subject of={row.original.subject} />,
    },
    {
      id: 'change',
      header: t('report.beforeAfter'),
      cell: ({ row }) => <BeforeAfter row={row.original} />,
    },
    {
      id: 'amounts',
      header: t('explorer.column.amount'),
      cell: ({ row }) =>
        row.original.amounts.map((amount) => <Amount key={amount.asset} amount={amount} signed />),
      meta: { end: true, phone: 'end' },
    },
    {
      id: 'reason',
      header: t('action.reason'),
      cell: ({ row }) => (
        <bdi className="block wrap-anywhere md:min-w-40">{row.original.reason}</bdi>
      ),
    },
  ];
}

/** A longer list of settings is closed at first; the first configuration sets all of them. */
const SETTINGS_OPEN_MAX = 12;

const WALLET = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

function Subject({ of }: { of: string | null }) {
  if (of === null) return null;
  return WALLET.test(of) ? (
    <WalletNamed wallet={of} />
  ) : (
    <span className="font-mono text-xs">{of}</span>
  );
}

/** The first configuration has no values before it. */
function BeforeAfter({ row }: { row: SignificantRow }) {
  const { before, after, settings } = row;
  if (settings.length > 0) return <Settings settings={settings} />;
  if (before === null && after === null) return null;
  return (
    <span className="block max-w-md wrap-anywhere font-mono text-xs md:min-w-40">
      {before ?? '—'} → {after ?? '—'}
    </span>
  );
}

function Settings({ settings }: { settings: SignificantRow['settings'] }) {
  const { t } = useTexts();
  const list = (
    <ul className="grid gap-1">
      {settings.map(({ path, before, after }) => (
        <li key={path} className="max-w-md wrap-anywhere md:min-w-40">
          <SettingName path={path} />
          <span className="font-mono text-xs">
            {before !== null && `${valueText(path, before)} → `}
            {valueText(path, after)}
          </span>
        </li>
      ))}
    </ul>
  );
  if (settings.length <= SETTINGS_OPEN_MAX) return list;
  return (
    <details>
      <summary className="min-h-8 py-1.5">
        {t('report.settings', { n: formatInteger(settings.length) })}
      </summary>
      {list}
    </details>
  );
}
