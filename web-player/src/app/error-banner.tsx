import { useStore } from '@reelbook/web/store';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { appError, checkSession } from '../features/session/keep-session.ts';
import { loadTexts } from '../lib/i18n.ts';

/** An error of the app above every page, under the header, with its reason and a retry button. */
export function ErrorBanner() {
  const { t } = useTranslation();
  const error = useStore(appError);
  const [why, setWhy] = useState('');
  // Loaded only now, with the texts of refusals. An unreachable server has a text that is there already.
  useEffect(() => {
    setWhy('');
    if (error)
      Promise.all([import('../lib/refusal-text.ts'), loadTexts()]).then(
        ([{ refusalText }]) => setWhy(refusalText(error)),
        () => undefined,
      );
  }, [error]);
  if (!error) return null;
  return (
    <div
      role="alert"
      className="sticky top-16 z-10 flex items-center gap-4 border-line border-b bg-ink-1 px-4 text-sm md:px-8"
    >
      <span className="flex-1 py-2">
        <strong className="text-coral">{t('common.initFailed')}.</strong>{' '}
        {why || t('common.unreachable')}
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
