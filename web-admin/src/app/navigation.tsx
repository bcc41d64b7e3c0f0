import { useQuery } from '@tanstack/react-query';
import { NavLink } from 'react-router';
import { PAGE_NAMES, type PageName, paths } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../lib/queries.ts';
import { useProposals } from '../lib/use-proposals.ts';

/** Pressing `g`, then this letter, opens the page. */
export const LETTERS = {
  overview: 'v',
  explorer: 'e',
  travel: 't',
  players: 'p',
  withdrawals: 'w',
  unmatched: 'u',
  house: 'h',
  audit: 'a',
  configuration: 'c',
} as const satisfies Partial<Record<PageName, string>>;

type Entry = keyof typeof LETTERS;

const GROUPS: readonly { readonly title: string | null; readonly pages: readonly Entry[] }[] = [
  { title: null, pages: ['overview', 'explorer', 'travel', 'players'] },
  { title: 'Payments', pages: ['withdrawals', 'unmatched', 'house'] },
  { title: 'System', pages: ['audit', 'configuration'] },
];

export function Navigation({ onGo }: { onGo?: () => void }) {
  const here = useHere();
  const pending = usePending();
  return (
    <nav aria-label="Pages" className="flex flex-col gap-0.5">
      {GROUPS.map(({ title, pages }) => (
        <div key={title ?? 'ledger'} className={title ? 'mt-4' : ''}>
          {title && (
            <p className="px-2.5 pb-1 font-semibold text-fg-3 text-xs uppercase tracking-wider">
              {title}
            </p>
          )}
          {pages.map((page) => (
            <NavLink
              key={page}
              to={here(paths[page])}
              onClick={onGo}
              className={({ isActive }) =>
                `flex min-h-11 items-center justify-between rounded-sm px-2.5 font-medium text-sm md:min-h-8 ${
                  isActive ? 'bg-ink-3 text-fg' : 'text-fg-2 hover:text-fg'
                }`
              }
            >
              {PAGE_NAMES[page]}
              {pending[page] ? (
                <span className="font-mono text-coral text-xs">
                  {pending[page]} <span className="sr-only">pending</span>
                </span>
              ) : null}
            </NavLink>
          ))}
        </div>
      ))}
    </nav>
  );
}

/** Number of items that await an operator, by the page that handles them. */
function usePending(): Partial<Record<PageName, number>> {
  const proposals = useProposals();
  const { data } = useQuery({ ...read('solvency'), refetchInterval: CALM_EVERY_MS });
  if (!data) return proposals;
  const { requested: withdrawals, unmatched } = data.queues;
  return { ...proposals, withdrawals, unmatched };
}
