import { buttonClass } from '@reelbook/web/components/button';
import {
  ArrowIcon,
  GamesIcon,
  RankIcon,
  ReelsIcon,
  WalletIcon,
} from '@reelbook/web/components/icons';
import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useGameTexts } from '../../lib/game-texts.ts';
import { paths } from '../../lib/paths.ts';
import { session } from '../../lib/session-store.ts';

const CARDS = [
  { key: 'slot', title: null, to: paths.slotMachine, icon: ReelsIcon },
  { key: 'mini', title: 'featured.mini.title', to: `${paths.games}?filter=mini`, icon: GamesIcon },
  { key: 'rank', title: 'nav.leaderboard', to: paths.leaderboard, icon: RankIcon },
  { key: 'wallet', title: 'nav.wallet', to: paths.wallet, icon: WalletIcon },
] as const;

/** Links from home to other pages. */
export function Featured() {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  return (
    <section className="mt-12">
      <h2 className="mb-4 text-xl">{t('featured.title')}</h2>
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-4 lg:gap-4">
        {CARDS.map(({ key, title, to, icon: Icon }) => (
          <li key={key}>
            <Link
              to={to}
              className="flex h-full min-h-20 items-center gap-4 rounded-lg border border-line bg-ink-1 px-5 py-4 transition-colors duration-150 hover:border-line-strong"
            >
              <span className="grid size-11 shrink-0 place-items-center rounded-md bg-brass-soft text-brass">
                <Icon />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">
                  {title ? t(title) : textsOf('slot-machine').name}
                </span>
                <span className="block text-fg-3 text-sm">{t(`featured.${key}.text`)}</span>
              </span>
              <span className="text-fg-3">
                <ArrowIcon />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The call to action at the end of the page. */
export function StartPlaying() {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  return (
    <section className="cabinet mt-12 flex flex-wrap items-center justify-between gap-5">
      <div>
        <h2 className="text-xl">{t('featured.start')}</h2>
        <p className="mt-1 text-fg-2">
          {t(signedIn ? 'featured.startTextIn' : 'featured.startText')}
        </p>
      </div>
      <Link
        to={paths.slotMachine}
        className={`${buttonClass('primary')} min-h-12 px-6 max-sm:w-full`}
      >
        {t('featured.startButton')}
      </Link>
    </section>
  );
}
