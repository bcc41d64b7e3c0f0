import type { AdminData } from '@reelbook/admin/answers';
import { Icon } from '@reelbook/web/components/icons';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { unitOf } from '../lib/amounts.ts';
import { api } from '../lib/api.ts';
import {
  assetsOf,
  filterQuery,
  offersOf,
  type Place,
  type Places,
  readToken,
  type Suggestion,
  type Token,
  tokensOf,
  useFilter,
  withToken,
  writeToken,
} from '../lib/filter.ts';
import {
  AT_PARAM,
  depositsPath,
  eventPath,
  explorerPath,
  playerPath,
  withdrawalPath,
} from '../lib/paths.ts';
import { findPoint, readTypedTime, useHere, usePoint } from '../lib/point-in-time.ts';
import { queryClient, read, useRead } from '../lib/queries.ts';
import { refusalText } from '../lib/refusal-text.ts';
import { useMay } from '../lib/session-store.ts';
import { useShortcut } from '../lib/shortcuts.ts';
import { dateTimeText } from '../lib/times.ts';

type Match = AdminData<'find'>['matches'][number];
/** The first choice below the matches. */
type Below = () => Promise<Choice | undefined>;

const SUGGEST_MIN = 2;
const TYPING_PAUSE_MS = 200;

/** Looks up any identifier. */
function useFind(onOpened: () => void) {
  const navigate = useNavigate();
  const here = useHere();
  const [matches, setMatches] = useState<readonly Match[]>([]);
  const [message, setMessage] = useState<ReactNode>(null);
  const [, setPoint] = usePoint(AT_PARAM);
  const asked = useRef<AbortController | null>(null);

  function go(path: string): void {
    void navigate(here(path));
    onOpened();
  }
  const open = (match: Match) => go(pathOf(match));
  async function goToTime(text: string): Promise<void> {
    const found = await findPoint(text).catch((error: unknown) => ({ fault: refusalText(error) }));
    if ('fault' in found) {
      setMessage(found.fault);
      return;
    }
    setPoint(found);
    onOpened();
  }
  async function look(text: string, below: Below, choose: (choice: Choice) => void): Promise<void> {
    setMessage('Searching…');
    try {
      const [match] = (await api.call('find', { query: { q: text } })).matches;
      const first = match ? { kind: 'match' as const, match } : await below();
      setMessage(first ? null : `No match for ${text}.`);
      if (first) choose(first);
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
    go,
    goToTime,
    clear,
    /** Opens what an identifier is of; otherwise what the list has below the matches. */
    look: (text: string, below: Below, choose: (choice: Choice) => void) => {
      clear();
      void look(text, below, choose);
    },
    suggest: (text: string) => void suggest(text),
  };
}

const OF_AN_EVENT: readonly Match['kind'][] = ['event', 'command', 'correlation'];

function pathOf({ kind, position, wallet, filter }: Match): string {
  // The page of an event shows the other events of its command and its request.
  if (OF_AN_EVENT.includes(kind) && position !== null) return eventPath(position);
  if (kind === 'player' && wallet !== null) return playerPath(wallet);
  if (kind === 'withdrawal' && filter.withdrawal) return withdrawalPath(filter.withdrawal);
  if (kind === 'deposit' && filter.signature) return depositsPath({ q: filter.signature });
  return explorerPath(tokensOf(filter));
}

/** What people type as a point in time, but a bare number, which may be anything. */
const asTime = (typed: string) => /\D/.test(typed) && readTypedTime(typed, Date.now());

type Choice =
  | { readonly kind: 'time'; readonly text: string; readonly time: string }
  | { readonly kind: 'place'; readonly place: Place }
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
  deposit: 'deposit',
  signature: 'transaction',
};

const LIST =
  'absolute -inset-x-px top-[calc(100%+6px)] z-30 max-h-[60dvh] overflow-y-auto rounded-sm border border-line-strong bg-ink-1 shadow-[var(--shadow)]';

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
      <p role="status" className={message ? `${LIST} px-4 py-3 text-fg-2 text-sm` : 'sr-only'}>
        {message}
      </p>
      {!message && choices.length > 0 && (
        <div id={id} role="listbox" aria-label="Suggestions" className={LIST}>
          {choices.map((choice, order) => (
            <button
              key={keyOf(choice)}
              id={`${id}-${order}`}
              type="button"
              role="option"
              tabIndex={-1}
              aria-selected={order === active}
              className="flex min-h-[34px] w-full items-center justify-between gap-4 px-3 text-left text-fg text-sm hover:bg-ink-3 aria-selected:bg-ink-3"
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => onChoose(choice)}
            >
              <ChoiceText choice={choice} />
            </button>
          ))}
        </div>
      )}
    </>
  );
}

function keyOf(choice: Choice): string {
  if (choice.kind === 'match') return `${choice.match.kind}${choice.match.label}`;
  if (choice.kind === 'place') return choice.place.path;
  return choice.kind === 'time' ? choice.time : choice.suggestion.text;
}

function ChoiceText({ choice }: { choice: Choice }) {
  if (choice.kind === 'suggestion') {
    const { text, assets, isComplete, key } = choice.suggestion;
    return (
      <>
        <span className="font-mono">{text}</span>
        {assets && <span className="text-fg-3">{assets.map(unitOf).join(' / ')}</span>}
        {!isComplete && <span className="text-fg-3">{KEY_HINTS[key]}</span>}
      </>
    );
  }
  const [text, note] =
    choice.kind === 'match'
      ? [choice.match.label, KIND_NAMES[choice.match.kind]]
      : choice.kind === 'place'
        ? [choice.place.text, choice.place.note]
        : [`${dateTimeText(choice.time)} UTC`, 'as of this time'];
  return (
    <>
      <span className="min-w-0 truncate font-mono">{text}</span>
      <span className="text-fg-3">{note}</span>
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
      className="search-line relative flex min-h-10 min-w-0 flex-1 flex-wrap items-center gap-1.5 rounded-sm border border-line-strong bg-ink-1 px-2.5 py-1 text-fg-3 focus-within:border-brass"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) setOpen(false);
      }}
    >
      <Icon size={16}>
        <circle cx="9" cy="9" r="5" />
        <path d="m13 13 3.5 3.5" />
      </Icon>
      <Tokens tokens={tokens} onChange={setTokens} />
      <input
        ref={input}
        className="min-h-7 min-w-20 flex-1 bg-transparent text-fg outline-none"
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

const OFTEN_MS = 60_000;

type Sources = readonly [
  Pick<AdminData<'configuration'>, 'values' | 'games'> | undefined,
  Places['operators'] | undefined,
];

function choicesOf(
  typed: string,
  matches: readonly Match[],
  [{ values, games } = { values: [], games: [] }, operators = []]: Sources,
): readonly Choice[] {
  const time = asTime(typed);
  const offers = offersOf(typed, { settings: values.map(({ path }) => path), operators, games });
  return [
    ...(time && 'time' in time ? [{ kind: 'time' as const, text: typed, time: time.time }] : []),
    ...matches.map((match) => ({ kind: 'match' as const, match })),
    ...offers.map((one) =>
      'path' in one
        ? { kind: 'place' as const, place: one }
        : { kind: 'suggestion' as const, suggestion: one },
    ),
  ];
}

/** The choices of a text, and the first one below the matches, which waits for what it depends on. */
function useChoices(typed: string, isOpen: boolean, matches: readonly Match[]) {
  const named = useMay()('admin') ? 'operators' : 'operatorNames';
  const often = { staleTime: OFTEN_MS, enabled: isOpen };
  const { data: configuration } = useRead('configuration', null, often);
  const { data: operators } = useRead(named, null, often);
  return {
    choices: choicesOf(typed, matches, [configuration, operators]),
    async readFirst(): Promise<Choice | undefined> {
      const sources = await Promise.all([
        queryClient.ensureQueryData(read('configuration')),
        queryClient.ensureQueryData(read(named)),
      ]);
      return choicesOf(typed, [], sources)[0];
    },
  };
}

function useSearchLine() {
  const [tokens, setTokens] = useFilter();
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const find = useFind(() => {
    write('');
    input.current?.blur();
  });
  const { choices, readFirst } = useChoices(typed, isOpen, find.matches);
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
    if (choice.kind === 'match') find.open(choice.match);
    else if (choice.kind === 'place') find.go(choice.place.path);
    else if (choice.kind === 'time') void find.goToTime(choice.text);
    else complete(choice.suggestion);
  }
  function complete({ text, isComplete }: Suggestion): void {
    const token = isComplete ? readToken(text) : null;
    if (token) add(token);
    else write(text);
    input.current?.focus();
  }
  /** Takes the selected suggestion or the first one; a token with its key is complete without one. */
  function enter(): void {
    const text = typed.trim();
    const token = readToken(text);
    const chosen = choices[active] ?? choices.find(({ kind }) => kind === 'time' || token);
    if (chosen) choose(chosen);
    else if (token) add(token);
    else if (text !== '') find.look(text, readFirst, choose);
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
      className={`min-h-[26px] max-w-full truncate rounded-[6px] px-2 font-medium font-mono text-xs hover:line-through ${
        invalid.includes(token) ? 'bg-coral-soft text-coral' : 'bg-ink-3 text-fg'
      }`}
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
