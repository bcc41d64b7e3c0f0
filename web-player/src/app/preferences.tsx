import { PreferenceButtons } from '@reelbook/web/components/preference-buttons';
import { toast } from '@reelbook/web/toasts';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { chooseLanguage } from '../lib/i18n.ts';
import { langOf } from '../lib/language.ts';
import { paths } from '../lib/paths.ts';

const LINK = `inline-flex min-h-11 items-center gap-2 rounded-sm px-3 text-sm text-fg-2
  hover:bg-ink-3 hover:text-fg`;

/** The footer of every page: links that are not in the bottom bar of a phone, language, theme and motion. */
export function Preferences() {
  const { t, i18n } = useTranslation();
  const language = i18n.language === 'zh' ? 'en' : 'zh';
  return (
    <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-4 border-line border-t pt-4">
      <p className="py-2 text-fg-3 text-sm">{t('footer.ledger')}</p>
      <div className="-mx-3 flex flex-wrap">
        <Link to={paths.fairness} className={LINK}>
          {t('nav.fairness')}
        </Link>
        <Link to={paths.history} className={LINK}>
          {t('nav.history')}
        </Link>
        <Link to={paths.limits} className={LINK}>
          {t('nav.limits')}
        </Link>
        <button
          type="button"
          className={LINK}
          lang={langOf(language)}
          onClick={() => {
            chooseLanguage(language).catch(() => toast(t('common.unreachable'), 'bad'));
          }}
        >
          {language === 'zh' ? '中文' : 'English'}
        </button>
        <PreferenceButtons className={LINK} />
      </div>
    </footer>
  );
}
