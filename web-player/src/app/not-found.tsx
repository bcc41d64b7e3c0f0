import { buttonClass } from '@reelbook/web/components/button';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { paths } from '../lib/paths.ts';

export function NotFound() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  return (
    <div className="flex min-h-[60vh] flex-col items-start justify-center gap-4">
      <p className="font-mono text-fg-3 text-sm">404</p>
      <h1 className="text-2xl">{t('notFound.title')}</h1>
      <p className="text-fg-2">{t('notFound.text', { path: pathname })}</p>
      <Link to={paths.home} className={buttonClass('primary')}>
        {t('notFound.home')}
      </Link>
    </div>
  );
}
