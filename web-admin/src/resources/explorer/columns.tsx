import type { ReactNode } from 'react';
import { Amount, PlayerLink, PositionChip, Time, TypeTag } from '../../components/chips.tsx';
import { EventSentence } from '../../components/sentence.tsx';
import type { Columns } from '../../components/table.tsx';
import { signedText } from '../../lib/amounts.ts';
import { readFilter, useFilter, withToken } from '../../lib/filter.ts';
import type { Entry } from './use-tail.ts';

export const columns = {
  Position: { lead: ({ position }) => <PositionChip position={position} /> },
  'Time (UTC)': ({ time }) => <Time iso={time} />,
  Type: {
    lead: ({ type }) => (
      <FilterCell token={`type:${type}`}>
        <TypeTag type={type} />
      </FilterCell>
    ),
  },
  Player: ({ player }) => player && <PlayerLink {...player} />,
  Description: (entry) => <Description entry={entry} />,
  Amount: {
    total: ({ amounts }) => (
      <span className="inline-flex flex-wrap justify-end gap-x-3">
        {amounts.map((amount) => (
          <FilterCell
            key={amount.asset}
            token={`asset:${amount.asset} amount=${signedText(amount).slice(1)}`}
          >
            <Amount amount={amount} signed />
          </FilterCell>
        ))}
      </span>
    ),
  },
} satisfies Columns<Entry>;

/** A value that adds its tokens to the filter when it is pressed. */
function FilterCell({ token, children }: { token: string; children: ReactNode }) {
  const [tokens, setTokens] = useFilter();
  return (
    <button
      type="button"
      className="hover:underline"
      title={`Filter by ${token}`}
      onClick={() => setTokens(readFilter(token).reduce(withToken, tokens))}
    >
      {children}
    </button>
  );
}

/** What happened, and the short ids of its round, withdrawal and transaction. */
function Description({ entry }: { entry: Entry }) {
  const { type, facts, what, round, withdrawal, signature } = entry;
  const ids = [
    round && `round ${round.slice(round.lastIndexOf(':') + 1)}`,
    withdrawal && `withdrawal ${withdrawal.slice(withdrawal.lastIndexOf(':') + 1)}`,
    signature && `${signature.slice(0, 6)}…`,
  ].filter(Boolean);
  return (
    <span className="block text-fg-2 text-xs md:min-w-56">
      <EventSentence type={type} facts={facts} text={what} />
      {ids.length > 0 && <span className="ml-2 font-mono text-fg-3">{ids.join(' · ')}</span>}
    </span>
  );
}
