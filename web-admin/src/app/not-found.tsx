import { buttonClass } from '@reelbook/web/components/button';
import { Link, useLocation } from 'react-router';
import { paths } from '../lib/paths.ts';
import { useTexts } from '../lib/texts.ts';

export function NotFound() {
  const { t } = useTexts();
  const { pathname } = useLocation();
  return (
    <div className="flex flex-col items-start gap-4 py-12">
      <h1 className="text-xl">{t('common.noSuchPage')}</h1>
      <p className="text-fg-2">{t('common.nothingAt', { path: pathname })}</p>
      <Link to={paths.explorer} className={buttonClass('primary')}>
        {t('nav.explorer')}
      </Link>
    </div>
  );
}
