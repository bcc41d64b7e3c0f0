import { faces, pathOf } from '@reelbook/games/faces';
import type { ComponentType } from 'react';
import { paths } from '../lib/paths.ts';
import { loadGamePage } from './game-page.ts';

type Load = () => Promise<ComponentType>;

/** Loads each page by its path, without its texts. */
export const pages = {
  [paths.home]: async () => (await import('../features/home/home.tsx')).Home,
  [paths.games]: async () => (await import('../features/games/games.tsx')).Games,
  ...Object.fromEntries(
    faces.map((face) => [pathOf(face), (): Promise<ComponentType> => loadGamePage(face)]),
  ),
  [paths.limits]: async () => (await import('../features/limits/limits.tsx')).Limits,
  [paths.wallet]: async () => (await import('../features/wallet/wallet.tsx')).WalletPage,
  [paths.payment]: async () => (await import('../features/wallet/payment-page.tsx')).PaymentPage,
  [paths.myData]: async () => (await import('../features/my-data/my-data.tsx')).MyData,
  [paths.profile]: async () => (await import('../features/profile/profile.tsx')).Profile,
  [paths.leaderboard]: async () =>
    (await import('../features/leaderboard/leaderboard.tsx')).Leaderboard,
  [paths.notifications]: async () =>
    (await import('../features/notifications/notifications.tsx')).Notifications,
  [paths.history]: async () => (await import('../features/history/history.tsx')).PlayHistory,
  [paths.fairness]: async () => (await import('../features/fairness/fairness.tsx')).Fairness,
  '*': async () => (await import('./not-found.tsx')).NotFound,
} satisfies Readonly<Record<string, Load>>;
