import { useQuery } from '@tanstack/react-query';
import { Amount } from '../../components/chips.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { isZero } from '../../lib/amounts.ts';
import { read } from '../../lib/queries.ts';
import { Account } from '../event/event-parts.tsx';

/** All lines, and the sum of each asset, which must be zero. */
export function TrialBalance({ at }: { at: number | null }) {
  const query = useQuery({
    ...read('trialBalance', { query: at === null ? {} : { at } }),
    placeholderData: (before) => before,
  });
  return (
    <Panel
      title="Trial balance"
      aside={query.data && <span className="font-mono">#{query.data.at.position}</span>}
    >
      <Loaded query={query}>
        {({ lines, sums }) =>
          sums.map((sum) => (
            <div key={sum.asset} className="mb-4 last:mb-0" data-testid={`trial-${sum.asset}`}>
              {lines
                .filter(({ balance }) => balance.asset === sum.asset)
                .map(({ line, balance }) => (
                  <p key={line} className="ledger-line">
                    <span>{line === 'players' ? line : <Account account={line} />}</span>
                    <Amount amount={balance} />
                  </p>
                ))}
              <p className="ledger-line">
                <span>Sum</span>
                <span className={isZero(sum) ? '' : 'text-coral'}>
                  <Amount amount={sum} />
                </span>
              </p>
            </div>
          ))
        }
      </Loaded>
    </Panel>
  );
}
