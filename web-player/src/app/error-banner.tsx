import { useStore } from '@reelbook/web/store';
import { useTranslation } from 'react-i18next';
import { appError, checkSession } from '../features/session/keep-session.ts';

/** An error of the app above every page, with a retry button. */
export function ErrorBanner() {
  const { t } = useTranslation();
  const error = useStore(appError);
  if (!error) return null;
  return (
    <div role="alert" className="flex items-center gap-4 bg-coral-soft px-4 text-sm md:px-8">
      <span className="flex-1 py-2">
        <strong>{t('common.initFailed')}.</strong> {t('common.unreachable')}
      </span>
      <button
        type="button"
        className="min-h-11 rounded-sm px-3 font-semibold text-coral"
        onClick={() => void checkSession()}
      >
        {t('common.tryAgain')}
      </button>
    </div>
  );
}
