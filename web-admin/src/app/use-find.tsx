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

/** Looks up any identifier; a single match opens at once. */
export function useFind(onOpened: () => void) {
  const { t } = useTexts();
  const navigate = useNavigate();
  const here = useHere();
  const [matches, setMatches] = useState<readonly Match[]>([]);
  const [said, setMessage] = useState<ReactNode>(null);

  function open(match: Match): void {
    void navigate(here(addressOf(match)));
    onOpened();
  }
  async function look(text: string): Promise<void> {
    setMessage(t('search.looking'));
    try {
      const found = (await api.call('find', { query: { q: text } })).matches;
      setMatches(found);
      setMessage(found.length === 0 ? t('search.nothing', { text }) : null);
      if (found.length === 1 && found[0]) open(found[0]);
    } catch (error) {
      setMessage(<Refusal error={error} />);
    }
  }
  return {
    matches,
    said,
    open,
    look: (text: string) => void look(text),
    forget() {
      setMatches([]);
      setMessage(null);
    },
  };
}

function addressOf({ kind, position, wallet, filter }: Match): string {
  if (kind === 'event' && position !== null) return eventPath(position);
  if (kind === 'player' && wallet !== null) return playerPath(wallet);
  return explorerPath(tokensOf(filter));
}

/** A filter in the words of the query, as tokens of the search line. */
function tokensOf(filter: Readonly<Record<string, string>>): string {
  const keys = Object.keys(TOKEN_KEYS) as TokenKey[];
  return Object.entries(filter)
    .flatMap(([field, value]) => {
      const key = keys.find((one) => TOKEN_KEYS[one] === field);
      return key ? [`${key}:${value}`] : [];
    })
    .join(' ');
}
