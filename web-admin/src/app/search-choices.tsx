import type { ReactNode } from 'react';
import { unitOf } from '../lib/amounts.ts';
import type { Suggestion } from '../lib/suggest.ts';
import type { Match } from './use-find.tsx';

export type Choice =
  | { readonly kind: 'match'; readonly match: Match }
  | { readonly kind: 'suggestion'; readonly suggestion: Suggestion };

const KEY_HINTS = {
  type: 'event type',
  player: 'wallet or public ID',
  asset: 'points or token',
  direction: 'credit or debit, with asset',
  account: 'house, fees, withdrawals, unmatched or chain',
  amount: 'amount>100, amount<=5',
  since: 'day or time, UTC',
  until: 'day or time, UTC',
  position: 'position>48000',
  game: 'game',
  rules: 'rules version',
  round: 'round',
  kind: 'stream kind',
  actor: 'actor',
  signature: 'transaction on the blockchain',
  withdrawal: 'withdrawal',
  hash: 'event hash',
};

const KIND_NAMES = {
  event: 'event',
  player: 'player',
  round: 'round',
  command: 'command',
  correlation: 'request',
  withdrawal: 'withdrawal',
  signature: 'transaction',
};

/** The list below the search line: matches, or suggested tokens. */
export function SearchChoices(props: {
  id: string;
  choices: readonly Choice[];
  active: number;
  message: ReactNode;
  onChoose(choice: Choice): void;
}) {
  const { id, choices, active, message, onChoose } = props;
  return (
    <>
      <p role="status" className={message ? 'choices px-4 py-3 text-fg-2 text-sm' : 'sr-only'}>
        {message}
      </p>
      {!message && choices.length > 0 && (
        <div id={id} role="listbox" aria-label="Suggestions" className="choices">
          {choices.map((choice, order) => (
            <button
              key={
                choice.kind === 'match'
                  ? `${choice.match.kind}${choice.match.label}`
                  : choice.suggestion.text
              }
              id={`${id}-${order}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={order === active}
              className="choice"
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(choice)}
            >
              {choice.kind === 'match' ? (
                <>
                  <span className="min-w-0 truncate font-mono">{choice.match.label}</span>
                  <span className="text-fg-3">{KIND_NAMES[choice.match.kind]}</span>
                </>
              ) : (
                <>
                  <span className="font-mono">{choice.suggestion.text}</span>
                  {choice.suggestion.assets && (
                    <span className="text-fg-3">
                      {choice.suggestion.assets.map(unitOf).join(' / ')}
                    </span>
                  )}
                  {!choice.suggestion.isComplete && (
                    <span className="text-fg-3">{KEY_HINTS[choice.suggestion.key]}</span>
                  )}
                </>
              )}
            </button>
          ))}
        </div>
      )}
    </>
  );
}
