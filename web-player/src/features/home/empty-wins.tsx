import { buttonClass } from '@reelbook/web/components/button';
import { SkeletonRows } from '@reelbook/web/components/states';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { paths } from '../../lib/paths.ts';
import { gameConfigs } from '../../lib/queries.ts';
import { PaytableRows } from '../slot-machine/paytable-rows.tsx';

/** Before the first big win: what one would be, with its odds. */
export function EmptyWins() {
  const { t } = useTranslation();
  const { data } = useQuery(gameConfigs);
  const config = data?.slot_machine;
  return (
    <div className="grid gap-x-12 gap-y-4 py-3 md:grid-cols-2 md:items-center">
      <div>
        <p className="text-lg">{t('wins.first')}</p>
        <p className="mt-2 mb-5 text-fg-2 text-sm">{t('wins.empty')}</p>
        <Link to={paths.slotMachine} className={buttonClass('plain')}>
          {t('home.play')}
        </Link>
      </div>
      <div className="min-h-[222px]">
        {config ? (
          <PaytableRows config={config} count={6} />
        ) : (
          <SkeletonRows count={6} className="h-[37px]" />
        )}
      </div>
    </div>
  );
}
