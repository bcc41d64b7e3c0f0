import type { Transaction } from '@reelbook/contract/player/profile';
import { faces } from '@reelbook/games/faces';
import { type DepositFault, isDepositFault } from '@reelbook/ledger/deposit-faults';
import { readObject } from '@reelbook/ledger/text';
import { buttonClass } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Select } from '@reelbook/web/components/select';
import { Empty, LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { amountText, clockTime, shortAddress, shortHash, signedText } from '@reelbook/web/format';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { NoMatch } from '../../components/no-match.tsx';
import { Pager } from '../../components/pager.tsx';
import { PeriodFields } from '../../components/period-fields.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { api } from '../../lib/api.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { paths, paymentPath } from '../../lib/paths.ts';
import { rangeOf } from '../../lib/period.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { useQueryFields } from '../../lib/use-query-fields.ts';

const SHOWN_TYPES = [
  'game',
  'bet',
  'win',
  'void',
  'game_win',
  'game_loss',
  'welcome',
  'adjustment',
  'deposit',
  'withdraw',
  'exchange',
] as const;
const STATUSES = [
  'completed',
  'pending',
  'approved',
  'processing',
  'returned',
  'review',
  'failed',
] as const;

/** Text key of the type; `other` for an unknown one. */
export function typeKey(type: string): (typeof SHOWN_TYPES)[number] | 'other' {
  return SHOWN_TYPES.find((one) => one === type) ?? 'other';
}

export function statusKey(status: string): (typeof STATUSES)[number] | 'other' {
  return STATUSES.find((one) => one === status) ?? 'other';
}

/** The round of a transaction, from its JSON text; null for anything else. */
export function roundIdOf(one: { extra_data: string }): string | null {
  const { round_id } = extraOf(one);
  return typeof round_id === 'string' ? round_id : null;
}

/** The id of a deposit or withdrawal, which has a page of its own; null for anything else. */
export function paymentIdOf(one: { type: string; extra_data: string }): string | null {
  const { withdrawal_id, signature } = extraOf(one);
  if (one.type === 'withdraw' && typeof withdrawal_id === 'string') return withdrawal_id;
  return one.type === 'deposit' && typeof signature === 'string' ? signature : null;
}

/** The game of a bet or win; address, fee and transaction of a payment. `full` has what is shortened. */
function useFacts(one: { extra_data: string }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const { game, to_address: to, fee, signature } = extraOf(one);
  const full = [to, signature].filter((part) => typeof part === 'string').join(' · ');
  const shown = [
    typeof game === 'string' && textsOf(game).name,
    typeof to === 'string' && t('transactions.to', { address: shortAddress(to) }),
    typeof fee === 'number' && t('transactions.fee', { fee: amountText('token', fee) }),
    typeof signature === 'string' && t('transactions.sent', { signature: shortHash(signature) }),
  ].filter((part) => part !== false);
  return { shown: shown.join(' · '), full };
}

/** Why a reported deposit failed or waits: its code, or the English text of a report that has none. */
export function faultOf(one: {
  extra_data: string;
  status: string;
}): { code: DepositFault } | { text: string } | null {
  const { fault, reason } = extraOf(one);
  if (one.status !== 'failed' && fault !== 'unconfirmed') return null;
  if (isDepositFault(fault)) return { code: fault };
  return typeof reason === 'string' ? { text: reason } : null;
}

const extraOf = ({ extra_data }: { extra_data: string }): Readonly<Record<string, unknown>> =>
  readObject(extra_data) ?? {};

const PAGE_SIZE = 20;
const SKELETON_ROWS = 5;
const GROUPS = ['money', 'games'] as const;
const TYPES = [
  ...GROUPS,
  ...(['deposit', 'withdraw', 'exchange', 'bet', 'win', 'void'] as const),
  ...(['adjustment', 'welcome'] as const),
] as const;
const STATES = ['completed', 'open', 'returned', 'failed'] as const;
const GAMES = faces.map(({ id }) => id);
/** Types of movements that have a game. */
const OF_GAMES: ReadonlySet<string> = new Set(['games', 'bet', 'win', 'void']);

/** The filters of the page. A game applies to bets and wins only; a wrong custom period is not applied. */
function useFilters() {
  const fields = useQueryFields();
  const type = fields.pick('type', TYPES);
  const status = fields.pick('status', STATES);
  const canHaveGame = type === null || OF_GAMES.has(type);
  const game = canHaveGame ? fields.pick('game', GAMES) : null;
  const { period } = fields;
  const isFiltered = type !== null || status !== null || game !== null || period.name !== 'all';
  return { ...fields, type, status, game, canHaveGame, isFiltered };
}

type Filters = ReturnType<typeof useFilters>;

const transactions = ({ page, type, status, game, period }: Filters) => {
  const filter = { ...(type && { type }), ...(status && { status }), ...(game && { game }) };
  return queryOptions({
    queryKey: [PLAYER_DATA, 'transactions', page, filter, period],
    queryFn: () => {
      const range = rangeOf(period, new Date()) ?? {};
      return api.call('transactions', {
        query: { page, page_size: PAGE_SIZE, ...filter, ...range },
      });
    },
    placeholderData: keepPreviousData,
  });
};

/** All transactions, newest first, each with its position in the ledger. */
export function Transactions() {
  const { t } = useTranslation();
  const filters = useFilters();
  const { data, isError, refetch } = useQuery(transactions(filters));
  const { page, setPage, isFiltered } = filters;
  const clear = () => {
    filters.set({ type: null, status: null, game: null, period: null, from: null, to: null });
  };
  const isEmpty = data?.items.length === 0 && page === 1;
  return (
    <Card
      title={t('transactions.title')}
      aside={
        <Link to={paths.myData} className="text-brass underline">
          {t('transactions.statement')}
        </Link>
      }
    >
      {(isFiltered || !isEmpty) && <FilterBar filters={filters} />}
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={SKELETON_ROWS} className="h-[62px]" />}
      {isEmpty && isFiltered && <NoMatch onClear={clear} />}
      {isEmpty && !isFiltered && (
        <Empty
          action={
            <Link to={paths.slotMachine} className={buttonClass('plain')}>
              {t('home.play')}
            </Link>
          }
        >
          <span className="block font-medium text-fg">{t('transactions.empty')}</span>
          {t('transactions.emptyHint')}
        </Empty>
      )}
      {data && data.items.length > 0 && <Table items={data.items} />}
      {data && <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} />}
    </Card>
  );
}

function FilterBar({ filters }: { filters: Filters }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const { type, status, game, canHaveGame, period, set, setPeriod } = filters;
  const all = ['', t('filters.all')] as const;
  return (
    <fieldset className="filter-bar">
      <legend className="sr-only">{t('filters.label')}</legend>
      <Select<string>
        isSmall
        label={t('transactions.column.what')}
        value={type ?? ''}
        onChange={(one) => set({ type: one, ...(OF_GAMES.has(one) ? {} : { game: null }) })}
        options={[all, ...TYPES.map((one) => [one, t(`transactions.type.${one}`)] as const)]}
      />
      <Select<string>
        isSmall
        label={t('transactions.column.status')}
        value={status ?? ''}
        onChange={(one) => set({ status: one })}
        options={[all, ...STATES.map((one) => [one, t(`transactions.states.${one}`)] as const)]}
      />
      {canHaveGame && (
        <Select<string>
          isSmall
          label={t('eventField.game')}
          value={game ?? ''}
          onChange={(one) => set({ game: one })}
          options={[all, ...GAMES.map((id) => [id, textsOf(id).name] as const)]}
        />
      )}
      <PeriodFields period={period} onChange={setPeriod} />
    </fieldset>
  );
}

function Table({ items }: { items: readonly Transaction[] }) {
  const { t } = useTranslation();
  return (
    <table className="statement-rows">
      <thead>
        <tr className="statement-row statement-head *:font-medium">
          <th className="min-w-0 text-left [grid-area:what]">{t('transactions.column.what')}</th>
          <th className="text-left [grid-area:when]">{t('eventView.time')}</th>
          <th className="text-right [grid-area:amount]">{t('eventField.amountMinor')}</th>
          <th className="text-right [grid-area:after]">{t('transactions.after')}</th>
          <th className="flex min-w-[72px] justify-end [grid-area:chip]">
            {t('transactions.column.position')}
          </th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <Row key={one.id} one={one} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ one }: { one: Transaction }) {
  const { t } = useTranslation();
  const roundId = roundIdOf(one);
  const payment = paymentIdOf(one);
  const status = statusKey(one.status);
  const fault = faultOf(one);
  const facts = useFacts(one);
  const type = t(`transactions.type.${typeKey(one.type)}`);
  return (
    <tr className="statement-row">
      <td className="min-w-0 [grid-area:what]">
        {payment ? (
          <Link
            to={paymentPath(payment)}
            className="font-medium text-fg underline decoration-line-strong underline-offset-3"
          >
            {type}
          </Link>
        ) : (
          <span className="font-medium">{type}</span>
        )}
        <span
          className={`block text-xs md:ml-2 md:inline ${status === 'completed' ? 'text-fg-3' : 'text-brass'}`}
        >
          {t(`transactions.statuses.${status}`, { status: one.status })}
          {fault && `: ${'code' in fault ? t(`depositFaults.${fault.code}`) : fault.text}`}
        </span>
        {facts.shown !== '' && (
          <span className="block text-fg-3 text-xs" title={facts.full}>
            {facts.shown}
          </span>
        )}
      </td>
      <td className="font-mono text-fg-3 text-xs [grid-area:when]">
        <time dateTime={one.created_at}>{clockTime(one.created_at)}</time>
      </td>
      <td
        className={`text-right font-mono [grid-area:amount] ${
          // A report is no credit: it has no position.
          one.amount > 0 && one.position > 0
            ? 'text-mint'
            : one.amount < 0
              ? 'text-coral'
              : 'text-fg-2'
        }`}
      >
        {(one.position > 0 ? signedText : amountText)(one.asset, one.amount)}{' '}
        <span className="text-fg-3 text-xs">{t(`exchange.${one.asset}`)}</span>
      </td>
      <td className="text-right font-mono text-fg-3 text-xs [grid-area:after]">
        {one.balance_after === null ? '' : amountText(one.asset, one.balance_after)}
      </td>
      <td className="flex min-w-[72px] justify-end [grid-area:chip]">
        {one.position > 0 && (
          <PositionChip position={one.position} own {...(roundId ? { roundId } : {})} />
        )}
      </td>
    </tr>
  );
}
