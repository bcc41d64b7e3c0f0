import { useTranslation } from 'react-i18next';
import { MoonIcon, SunIcon } from '../components/icons.tsx';
import { chooseLanguage } from '../lib/i18n.ts';
import { useStore } from '../lib/store.ts';
import { chooseTheme, theme } from '../lib/theme.ts';

const LINK = `inline-flex min-h-11 items-center gap-2 rounded-sm px-3 text-sm text-fg-2
  hover:bg-ink-3 hover:text-fg`;

/** The foot of every page: language and theme. */
export function Preferences() {
  const { t, i18n } = useTranslation();
  const now = useStore(theme);
  const next = now === 'dark' ? 'light' : 'dark';
  const language = i18n.language === 'zh' ? 'en' : 'zh';
  return (
    <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-4 border-line border-t pt-4">
      <p className="text-fg-3 text-sm">{t('footer.promise')}</p>
      <div className="-mx-3 flex">
        <button
          type="button"
          className={LINK}
          lang={language === 'zh' ? 'zh-CN' : 'en'}
          onClick={() => void chooseLanguage(language)}
        >
          {language === 'zh' ? '中文' : 'English'}
        </button>
        <button type="button" className={LINK} onClick={() => chooseTheme(next)}>
          {next === 'light' ? <SunIcon /> : <MoonIcon />}
          {t(`footer.${next}`)}
        </button>
      </div>
    </footer>
  );
}
