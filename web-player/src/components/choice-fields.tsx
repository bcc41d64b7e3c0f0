import type { Game } from '@reelbook/games/game';
import type { Choice } from '@reelbook/ledger/player/events';
import { useId } from 'react';
import { useGameTexts } from '../lib/game-texts.ts';

/** The fields of a choice: an integer range, or a list of words. */
export function ChoiceFields(props: {
  game: Pick<Game, 'id' | 'choice'>;
  choice: Choice;
  disabled?: boolean;
  onChange(chosen: Choice): void;
}) {
  const { game, choice, disabled = false, onChange } = props;
  const { figures = {} } = useGameTexts()(game.id);
  const id = useId();
  const { fields = {} } = game.choice ?? {};
  return (
    <fieldset disabled={disabled} className="min-w-0 py-2">
      {Object.entries(fields).map(([name, field]) => (
        <div key={name} className="py-1 text-sm">
          <label htmlFor={`${id}${name}`} className="flex justify-between text-fg-2">
            {figures[name] ?? name}
            <span className="font-mono text-fg">{choice[name]}</span>
          </label>
          {'oneOf' in field ? (
            <select
              id={`${id}${name}`}
              value={choice[name]}
              className="mt-1 block h-11 w-full rounded-sm border border-line-strong bg-ink-2 px-3 text-fg"
              onChange={(event) => onChange({ [name]: event.target.value })}
            >
              {field.oneOf.map((word) => (
                <option key={word} value={word}>
                  {figures[word] ?? word}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={`${id}${name}`}
              type="range"
              min={field.min}
              max={field.max}
              value={choice[name]}
              className="h-11 w-full accent-brass"
              onChange={(event) => onChange({ [name]: Number(event.target.value) })}
            />
          )}
        </div>
      ))}
    </fieldset>
  );
}
