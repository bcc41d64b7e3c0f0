import type { AdminData } from '@reelbook/contract/admin/routes';
import { type ReactNode, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '../lib/api.ts';
import { readToken, TOKEN_KEYS, type TokenKey } from '../lib/filter.ts';
import { eventPath, explorerPath, playerPath } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { refusalText } from '../lib/refusal-text.ts';

export type Match = AdminData<'find'>['matches'][number];

const SUGGEST_MIN = 2;
const TYPING_PAUSE_MS = 200;

/** Looks up any identifier. A single match opens immediately. */
export function useFind(onOpened: () => void) {
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
    ...{ matches, message, open, clear },
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
