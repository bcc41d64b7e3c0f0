import { useQuery } from '@tanstack/react-query';
import type { PageName } from './paths.ts';
import { CALM_EVERY_MS, read } from './queries.ts';

/** Number of pending proposals, by the page that lists them. */
export function useProposals(): Partial<Record<PageName, number>> {
  const calm = { refetchInterval: CALM_EVERY_MS };
  const { data: changes } = useQuery({ ...read('proposals'), ...calm });
  const { data: onPlayers } = useQuery({ ...read('adjustments'), ...calm });
  return { configuration: changes?.length ?? 0, players: onPlayers?.length ?? 0 };
}
