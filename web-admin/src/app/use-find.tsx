import type { AdminData } from '@reelbook/contract/admin/routes';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { Refusal } from '../components/refusal.tsx';
import { api } from '../lib/api.ts';
import { TOKEN_KEYS, type TokenKey } from '../lib/filter.ts';
import { eventPath, explorerPath, playerPath } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { useTexts } from '../lib/texts.ts';

export type Match = AdminData<'find'>['matches'][number];

/** Looks up any identifier. A single match opens immediately. */
export function useFind(onOpened: () => void) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const here = useHere();
  const [matches, setMatches] = useState<readonly Match[]>([]);
  const [message, setMessage] = useState<ReactNode>(null);

  function open(match: Match): void {
    void navigate(here(pathOf(match)));
    onOpened();
  }
  async function look(text: string): Promise<void> {
    setMessage(t('search.searching'));
    try {
      const found = (await api.call('find', { query: { q: text } })).matches;
      setMatches(found);
      setMessage(found.length === 0 ? t('search.noMatch', { text }) : null);
      if (found.length === 1 && found[0]) open(found[0]);
    } catch (error) {
      setMessage(<Refusal error={error} />);
    }
  }
  return {
    matches,
    message,
    open,
    look: (text: string) => void look(text),
    clear() {
      setMatches([]);
      setMessage(null);
    },
  };
}

function pathOf({ kind, position, wallet, filter }: Match): string {
  if (kind === 'event' && position !== null) return eventPath(position);
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
