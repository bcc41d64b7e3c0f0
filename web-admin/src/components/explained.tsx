import type { AdminData } from '@reelbook/admin/answers';
import type { EventType } from '@reelbook/ledger/event-types';
import type { Asset } from '@reelbook/ledger/money';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { plural } from '../lib/amounts.ts';
import { tokensOf } from '../lib/filter.ts';
import { explorerPath } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { CALM_EVERY_MS, pointInTime, read } from '../lib/queries.ts';
import { Amount, Choices, PositionChip } from './chips.tsx';
import { Loaded, Panel } from './panel.tsx';

type Explanation = AdminData<'explainBalance'>;

const DAY_MS = 24 * 3_600_000;
const PERIODS = {
  beginning: 'since the first event',
  day: 'last 24 hours',
  week: 'last 7 days',
};
type Period = keyof typeof PERIODS;
const LAST_MS = { beginning: null, day: DAY_MS, week: 7 * DAY_MS };

/** Opening balance, each kind of credit and debit with a link to its events, and the balance, as of `at`. */
export function Explained(props: { account: string; asset: Asset; at: number | null }) {
  const { account, asset, at } = props;
  const [period, setPeriod] = useState<Period>('beginning');
  const moment = useQuery(pointInTime(at ?? undefined));
  const from = openingOf(period, moment.data?.at.time);
  const query = useQuery({
    ...read('explainBalance', {
      query: { account, asset, ...(at === null ? {} : { at }), ...(from && { from }) },
    }),
    placeholderData: (before) => before,
    refetchInterval: CALM_EVERY_MS,
  });
  return (
    <Panel
      title="Balance explained"
      aside={
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="sr-only">Period</legend>
          <Choices of={PERIODS} value={period} onChange={(one) => setPeriod(one)} />
        </fieldset>
      }
    >
      <Loaded query={query} rows={5}>
        {(explanation) => <Terms explanation={explanation} />}
      </Loaded>
    </Panel>
  );
}

/** To the second, so that a poll does not change the query each time. */
function openingOf(period: Period, time: string | null | undefined): string | null {
  const lastMs = LAST_MS[period];
  if (lastMs === null || !time) return null;
  return new Date(Date.parse(time) - lastMs).toISOString();
}

function Terms({ explanation }: { explanation: Explanation }) {
  const { opening, terms, balance, adds_up: addsUp, from, at, since } = explanation;
  return (
    <div data-testid="explained">
      <p className="ledger-line">
        <span className="flex flex-wrap items-center gap-2">
          Opening balance
          {from.position > 0 && <PositionChip position={from.position} />}
        </span>
        <Amount amount={opening} />
      </p>
      {terms.map((term) => (
        <Term key={`${term.type}${term.game}${term.credit}`} term={term} />
      ))}
      <p className="ledger-line font-semibold" data-testid="explained-balance">
        <span className="flex flex-wrap items-center gap-2">
          Balance
          {since !== null && <PositionChip position={since} />}
          <span className="font-mono font-normal text-fg-3 text-xs">
            As of #{formatInteger(at.position)}
          </span>
        </span>
        <Amount amount={balance} />
      </p>
      {!addsUp && (
        <p role="alert" className="mt-2 text-coral text-sm">
          The terms do not add up to the balance. Run an audit.
        </p>
      )}
    </div>
  );
}

/** What the events of a type are to a balance. */
const KINDS: Readonly<Record<string, string>> = {
  BetPlaced: 'Stakes',
  BetWon: 'Winnings',
  BetVoided: 'Stakes returned',
  WelcomeGranted: 'Welcome points',
  Exchanged: 'Exchanges',
  BalanceAdjusted: 'Adjustments',
  DepositCredited: 'Deposits credited',
  WithdrawalRequested: 'Withdrawals requested',
  WithdrawalReleased: 'Withdrawals returned',
  WithdrawalFinalized: 'Withdrawals paid',
  UnmatchedDepositSeen: 'Unmatched deposits',
  UnmatchedDepositResolved: 'Unmatched deposits kept by the house',
} satisfies Partial<Record<EventType, string>>;
/** Types of both directions. */
const TWO_WAY: readonly string[] = ['Exchanged', 'BalanceAdjusted'];

function Term({ term }: { term: Explanation['terms'][number] }) {
  const here = useHere();
  const { type, game, credit, events, amount, filter } = term;
  const kind = KINDS[type] ?? type;
  const name = TWO_WAY.includes(type) ? (credit ? `${kind}, received` : `${kind}, given`) : kind;
  return (
    <p className="ledger-line">
      <Link
        to={here(explorerPath(tokensOf(filter)))}
        className="hover:text-brass hover:underline"
        data-testid={`term-${type}-${credit ? 'credit' : 'debit'}`}
      >
        {name}
        {game && <span className="ml-1.5 text-fg-3">{game}</span>}
        <span className="ml-2 font-mono text-fg-3 text-xs">
          {events} {plural(events, 'event', 'events')}
        </span>
      </Link>
      <Amount amount={amount} signed />
    </p>
  );
}
