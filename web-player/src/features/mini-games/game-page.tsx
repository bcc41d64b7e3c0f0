import type { Face } from '@reelbook/games/face';
import { Badge } from '@reelbook/web/components/badge';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ClosedPanel } from '../../components/closed-panel.tsx';
import { DefaultChinese } from '../../components/default-chinese.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { useGameTexts } from '../../lib/game-texts.ts';
import { chooseLanguage } from '../../lib/i18n.ts';
import { type Language, langOf } from '../../lib/language.ts';
import { paths } from '../../lib/paths.ts';
import { configOf, gameConfigs } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useClosed } from '../../lib/use-closed.ts';
import { SoundButton } from '../slot-machine/sound.tsx';
import { GameOdds } from './game-odds.tsx';

const NAMES: Readonly<Record<Language, string>> = { en: 'EN', zh: '中文' };

/** Both languages; the one of this part of the page is pressed. */
function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <fieldset
      className="language-switch flex rounded-full border border-line bg-ink-2 p-0.5"
      aria-label={t('mini.language')}
    >
      {(Object.keys(NAMES) as Language[]).map((language) => (
        <button
          key={language}
          type="button"
          // 44 px to the thumb.
          className="relative h-[30px] min-w-11 rounded-full px-2.5 font-medium text-[12px] text-fg-2 after:absolute after:inset-x-0 after:-inset-y-[7px] hover:text-fg aria-pressed:bg-brass-soft aria-pressed:text-brass max-[380px]:min-w-[38px] max-[380px]:px-1.5"
          lang={langOf(language)}
          aria-pressed={i18n.language === language}
          onClick={() => chooseLanguage(language)}
        >
          {NAMES[language]}
        </button>
      ))}
    </fieldset>
  );
}

interface Props {
  face: Face;
  Play: ComponentType<{ wallet: string }>;
}

/** The page that games share; the game's own parts come from its folder. */
export function GamePage(props: Props) {
  if (!props.face.simulated) return <Page {...props} />;
  return (
    <DefaultChinese>
      <Page {...props} />
    </DefaultChinese>
  );
}

function Page({ face, Play }: Props) {
  const { t } = useTranslation();
  const wallet = useStore(session)?.user.wallet_address;
  const { name } = useGameTexts()(face.id);
  const { data } = useQuery(gameConfigs);
  const closed = useClosed(configOf(data, face.id));
  return (
    <>
      <header className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-1 max-[380px]:gap-x-1.5 md:mb-5 md:gap-x-4">
        <Link
          to={paths.games}
          className="inline-flex min-h-11 min-w-11 items-center gap-2 font-medium text-fg-2 text-sm hover:text-fg max-md:-ml-3 max-md:justify-center"
          aria-label={t('mini.back')}
        >
          <span className="rotate-180">
            <ArrowIcon />
          </span>
          <span className="max-md:sr-only">{t('mini.back')}</span>
        </Link>
        <h1 className="text-xl max-[380px]:text-[17px] md:text-2xl">{name}</h1>
        <div className="ml-auto flex items-center gap-2">
          {wallet && face.simulated && <SoundButton />}
          {face.simulated && <LanguageSwitch />}
        </div>
        {face.simulated && (
          <p className="basis-full text-[13px] text-fg-2 leading-[1.55] max-[380px]:text-[12px] [&>span]:mr-1">
            <Badge>{t('games.simulated')}</Badge> {t('mini.how')}
          </p>
        )}
      </header>
      {wallet ? (
        <Play key={wallet} wallet={wallet} />
      ) : (
        <>
          {closed && (
            <div className="mb-4">
              <ClosedPanel closed={closed} />
            </div>
          )}
          <Visitor>{t('mini.visitor')}</Visitor>
          <GameOdds game={face.id} className="mt-4 lg:mt-6" />
        </>
      )}
    </>
  );
}
