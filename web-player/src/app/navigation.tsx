import { faces, pathOf } from '@reelbook/games/faces';
import {
  FairnessIcon,
  GamesIcon,
  HomeIcon,
  ProfileIcon,
  RankIcon,
  WalletIcon,
} from '@reelbook/web/components/icons';
import { useTranslation } from 'react-i18next';
import { Link, matchPath, useLocation } from 'react-router';
import { useGameTexts } from '../lib/game-texts.ts';
import { paths } from '../lib/paths.ts';

const GAMES: readonly string[] = faces.map(pathOf);
const OWN: readonly string[] = [paths.history, paths.limits, paths.myData];
const MONEY: readonly string[] = [paths.payment];

/** The pages of the top bar; those with a `bottom` are in the bottom bar too, in that order. */
const PAGES = [
  { key: 'home', to: paths.home, icon: HomeIcon, bottom: 1 },
  { key: 'games', to: paths.games, icon: GamesIcon, bottom: 2, children: GAMES },
  { key: 'wallet', to: paths.wallet, icon: WalletIcon, bottom: 3, children: MONEY },
  { key: 'profile', to: paths.profile, icon: ProfileIcon, bottom: 5, children: OWN },
  { key: 'leaderboard', to: paths.leaderboard, icon: RankIcon, bottom: 4 },
  { key: 'fairness', to: paths.fairness, icon: FairnessIcon },
] as const;
const BOTTOM_PAGES = PAGES.filter((page) => 'bottom' in page).sort((a, b) => a.bottom - b.bottom);

export function TopNavigation() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <nav aria-label={t('common.pages')} className="ml-2 hidden gap-0.5 md:flex lg:ml-6 lg:gap-1">
      {PAGES.map((page) => {
        const current = isHere(page, pathname);
        return (
          <Link
            key={page.key}
            to={page.to}
            aria-current={current ? 'page' : undefined}
            className={`flex min-h-11 items-center rounded-sm px-2 font-medium text-sm transition-colors lg:px-3 lg:text-base ${
              current ? 'bg-ink-3 text-fg' : 'text-fg-2 hover:text-fg'
            }`}
          >
            {t(`nav.${page.key}`)}
          </Link>
        );
      })}
    </nav>
  );
}

export function BottomNavigation() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <nav aria-label={t('common.pages')} className="bottom-bar md:hidden">
      {BOTTOM_PAGES.map((page) => {
        const current = isHere(page, pathname);
        const Icon = page.icon;
        return (
          <Link
            key={page.key}
            to={page.to}
            aria-current={current ? 'page' : undefined}
            className={current ? 'text-brass' : 'text-fg-3'}
          >
            <Icon />
            {t(page.key === 'leaderboard' ? 'nav.rank' : `nav.${page.key}`)}
          </Link>
        );
      })}
    </nav>
  );
}

/** Games belong to the hall, and the player's own pages to the profile. */
function isHere(page: (typeof PAGES)[number], pathname: string): boolean {
  return (
    pathname === page.to ||
    ('children' in page && page.children.some((path) => matchPath(path, pathname)))
  );
}

const { slotMachine: _, ...titled } = paths;
const TITLES = Object.entries(titled).map(
  ([key, path]) => [key as keyof typeof titled, path] as const,
);

/** Title of the current page; null for home and unknown paths. */
export function useTitle(): string | null {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const textsOf = useGameTexts();
  const game = faces.find((face) => pathOf(face) === pathname);
  if (game) return textsOf(game.id).name;
  const found = TITLES.find(([, path]) => matchPath(path, pathname));
  return found && found[0] !== 'home' ? t(`nav.${found[0]}`) : null;
}
