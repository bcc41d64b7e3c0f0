import { toast } from '@reelbook/web/toasts';
import { useTranslation } from 'react-i18next';
import { chooseLanguage } from '../../lib/i18n.ts';
import { type Language, langOf } from '../../lib/language.ts';

const NAMES: Readonly<Record<Language, string>> = { en: 'EN', zh: '中文' };

/** Both languages; the one of this part of the page is pressed. */
export function LanguageSwitch() {
  const { t, i18n } = useTranslation();
  return (
    <fieldset className="language-switch" aria-label={t('mini.language')}>
      {(Object.keys(NAMES) as Language[]).map((language) => (
        <button
          key={language}
          type="button"
          lang={langOf(language)}
          aria-pressed={i18n.language === language}
          onClick={() => {
            chooseLanguage(language).catch(() => toast(t('common.unreachable'), 'bad'));
          }}
        >
          {NAMES[language]}
        </button>
      ))}
    </fieldset>
  );
}
