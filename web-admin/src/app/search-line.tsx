import type { AdminData } from '@reelbook/contract/admin/routes';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { SearchIcon } from '../components/icons.tsx';
import { unitOf } from '../lib/amounts.ts';
import { api } from '../lib/api.ts';
import {
  assetsOf,
  filterQuery,
  inferToken,
  readToken,
  type Suggestion,
  suggest,
  TOKEN_KEYS,
  type Token,
  type TokenKey,
  useFilter,
  withToken,
  writeToken,
} from '../lib/filter.ts';
import { eventPath, explorerPath, playerPath } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { read } from '../lib/queries.ts';
import { refusalText } from '../lib/refusal-text.ts';
import { useShortcut } from '../lib/shortcuts.ts';

type Match = AdminData<'find'>['matches'][number];

const SUGGEST_MIN = 2;
const TYPING_PAUSE_MS = 200;

/** Looks up any identifier. A single match opens immediately. */
function useFind(onOpened: () => void) {
  const navigate = useNavigate();
  const here = useHere();
  const [matches, setMatches] = useState<readonly Match[]>([]);
  const [message, setMessage] = useState<ReactNode>(null);
  const asked = useRef<AbortController | null>(null);

  function open(match: Match): void {
    void navigate(here(pathOf(match)));
    onOpened();
  }
  async function look(text: string): Promise<void> {
    setMessage('Searching…');
    try {
      const found = (await api.call('find', { query: { q: text } })).matches;
      setMatches(found);
      setMessage(found.length === 0 ? `No match for ${text}.` : null);
      if (found.length === 1 && found[0]) open(found[0]);
    } catch (error) {
      setMessage(refusalText(error));
    }
  }
  const clear = () => {
    asked.current?.abort();
    setMatches([]);
    setMessage(null);
  };
  /** Suggests matches while a text is typed; a later text cancels the request. */
  async function suggest(text: string): Promise<void> {
    clear();
    const q = text.trim();
    if (q.length < SUGGEST_MIN || readToken(q)) return;
    asked.current = new AbortController();
    const { signal } = asked.current;
    await new Promise((wake) => setTimeout(wake, TYPING_PAUSE_MS));
    if (signal.aborted) return;
    const found = await api.call('find', { query: { q }, signal }).catch(() => null);
    if (found && !signal.aborted) setMatches(found.matches);
  }
  return {
    matches,
    message,
    open,
    clear,
    look: (text: string) => {
      clear();
      void look(text);
    },
    suggest: (text: string) => void suggest(text),
  };
}

const OF_AN_EVENT: readonly Match['kind'][] = ['event', 'command', 'correlation'];

function pathOf({ kind, position, wallet, filter }: Match): string {
  // The page of an event shows the other events of its command and its request.
  if (OF_AN_EVENT.includes(kind) && position !== null) return eventPath(position);
  if (kind === 'player' && wallet !== null) return playerPath(wallet);
  return explorerPath(tokensOf(filter));
}

/** Query parameters as tokens of the search line. */
function tokensOf(filter: Readonly<Record<string, string>>): string {
  const keys = Object.keys(TOKEN_KEYS) as TokenKey[];
  return Object.entries(filter)
    .flatMap(([field, value]) => {
      const key = keys.find((one) => TOKEN_KEYS[one] === field);
      return key ? [`${key}:${value}`] : [];
    })
    .join(' ');
}

type Choice =
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
function SearchChoices(props: {
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
    tokens,
    setTokens,
    typed,
    isOpen,
    setOpen,
    active,
    input,
    find,
    choices,
    type,
    choose,
    onKeyDown,
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
