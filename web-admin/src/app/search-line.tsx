import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { SearchIcon } from '../components/icons.tsx';
import { unitOf } from '../lib/amounts.ts';
import {
  assetsOf,
  filterQuery,
  inferToken,
  readToken,
  type Token,
  withToken,
  writeToken,
} from '../lib/filter.ts';
import { read } from '../lib/queries.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { suggest } from '../lib/suggest.ts';
import { useFilter } from '../lib/use-filter.ts';
import { type Choice, SearchChoices } from './search-choices.tsx';
import { useFind } from './use-find.tsx';

const TYPED_MAX = 200;

/** Tokens filter the explorer; any other text is looked up as an identifier. */
export function SearchLine() {
  const line = useSearchLine();
  const { tokens, setTokens, typed, isOpen, setOpen, active, input, find, choices } = line;
  const listId = useId();
  return (
    <search
      className="search-line"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <SearchIcon />
      <Tokens tokens={tokens} onChange={setTokens} />
      <input
        ref={input}
        role="combobox"
        aria-expanded={isOpen && choices.length > 0}
        aria-controls={listId}
        aria-activedescendant={active >= 0 ? `${listId}-${active}` : undefined}
        aria-label="Search and filter"
        placeholder={tokens.length > 0 ? '' : 'type:BetWon player:… amount>100, or any ID'}
        value={typed}
        maxLength={TYPED_MAX}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onFocus={() => setOpen(true)}
        onChange={(event) => line.type(event.target.value)}
        onKeyDown={line.onKeyDown}
      />
      <SearchChoices
        id={listId}
        choices={isOpen ? choices : []}
        active={active}
        message={find.message}
        onChoose={line.choose}
      />
    </search>
  );
}

function useSearchLine() {
  const [tokens, setTokens] = useFilter();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const { data: facets } = useQuery({ ...read('facets'), staleTime: 60_000, enabled: isOpen });
  const find = useFind(() => {
    write('');
    input.current?.blur();
  });
  const choices: readonly Choice[] = [
    ...find.matches.map((match) => ({ kind: 'match' as const, match })),
    ...suggest(typed, facets).map((suggestion) => ({ kind: 'suggestion' as const, suggestion })),
  ];
  useShortcut('search', () => input.current?.focus());

  function write(text: string, isTyped = false): void {
    setTyped(text);
    setActive(-1);
    if (isTyped) find.suggest(text);
    else find.clear();
  }
  function add(token: Token): void {
    setTokens(withToken(tokens, token));
    write('');
  }
  /** A space completes a token. */
  function type(text: string): void {
    setOpen(true);
    const token = text.endsWith(' ') ? readToken(text.trim()) : null;
    if (token) add(token);
    else write(text, true);
  }
  function choose(choice: Choice): void {
    if (choice.kind === 'match') {
      find.open(choice.match);
      return;
    }
    const { text, isComplete } = choice.suggestion;
    const token = isComplete ? readToken(text) : null;
    if (token) add(token);
    else write(text);
    input.current?.focus();
  }
  function enter(): void {
    const chosen = choices[active];
    const text = typed.trim();
    const token = readToken(text) ?? inferToken(text);
    if (chosen) choose(chosen);
    else if (token) add(token);
    else if (text !== '') find.look(text);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event;
    if (key === 'Enter') enter();
    else if (key === 'ArrowDown') setActive(Math.min(active + 1, choices.length - 1));
    else if (key === 'ArrowUp') setActive(Math.max(active - 1, -1));
    else if (key === 'Escape') input.current?.blur();
    else if (key === 'Backspace' && typed === '') setTokens(tokens.slice(0, -1));
    else return;
    event.preventDefault();
  }
  return {
    ...{ tokens, setTokens, typed, isOpen, setOpen, active, input, find, choices },
    ...{ type, choose, onKeyDown },
  };
}

function Tokens(props: { tokens: readonly Token[]; onChange(tokens: readonly Token[]): void }) {
  const { tokens, onChange } = props;
  const { invalid } = filterQuery(tokens);
  return tokens.map((token) => (
    <button
      key={writeToken(token)}
      type="button"
      className={`token ${invalid.includes(token) ? 'token-invalid' : ''}`}
      title={invalid.includes(token) ? 'This filter is invalid. Press to remove it.' : 'Remove'}
      aria-label={`Remove ${writeToken(token)}`}
      onClick={() => onChange(tokens.filter((other) => other !== token))}
    >
      {shown(token, tokens)}
    </button>
  ));
}

const VALUE_SHOWN_MAX = 22;

/** Long values are shortened in the middle. An amount is shown with its unit, or with both units if it may be of either. */
function shown(token: Token, tokens: readonly Token[]): string {
  const { value } = token;
  const short = value.length > VALUE_SHOWN_MAX ? `${value.slice(0, 6)}…${value.slice(-5)}` : value;
  const units = assetsOf(token, tokens).map(unitOf).join(' / ');
  return writeToken({
    ...token,
    value: units ? `${short.replace(/[a-z]+$/i, '')} ${units}` : short,
  });
}
