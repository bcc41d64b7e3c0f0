import type { Face } from '@reelbook/games/face';
import { Badge } from '@reelbook/web/components/badge';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { useStore } from '@reelbook/web/store';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { DefaultChinese } from '../../components/default-chinese.tsx';
import { Visitor } from '../../components/visitor.tsx';
import { useGameTexts } from '../../lib/game-texts.ts';
import { paths } from '../../lib/paths.ts';
import { session } from '../../lib/session-store.ts';
import { GameOdds } from './game-odds.tsx';

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
  return (
    <>
      <Link
        to={paths.games}
        className="inline-flex min-h-11 items-center gap-2 font-medium text-fg-2 text-sm hover:text-fg md:mb-2"
      >
        <span className="rotate-180">
          <ArrowIcon />
        </span>
        {t('mini.back')}
      </Link>
      {wallet ? (
        <>
          <div className="mb-3 flex flex-wrap items-center gap-3 md:mb-4">
            <h1 className="text-2xl">{name}</h1>
            {face.simulated && <Badge>{t('games.simulated')}</Badge>}
          </div>
          <Play key={wallet} wallet={wallet} />
        </>
      ) : (
        <>
          <Visitor title={name}>{t('mini.visitor')}</Visitor>
          <GameOdds game={face.id} className="mt-4 lg:mt-6" />
        </>
      )}
    </>
  );
}
