import { MoonIcon, MotionIcon, SunIcon } from '@reelbook/web/components/icons';
import { chooseReducedMotion, useReducedMotion } from '@reelbook/web/motion';
import { useStore } from '@reelbook/web/store';
import { chooseTheme, theme } from '@reelbook/web/theme';
import { toast } from '@reelbook/web/toasts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { chooseLanguage, langOf } from '../lib/i18n.ts';
import { paths } from '../lib/paths.ts';

const LINK = `inline-flex min-h-11 items-center gap-2 rounded-sm px-3 text-sm text-fg-2
  hover:bg-ink-3 hover:text-fg`;

/** The foot of every page: what stands in no bar of a phone, language, theme and motion. */
export function Preferences() {
  const { t, i18n } = useTranslation();
  const now = useStore(theme);
  const isReduced = useReducedMotion();
  const next = now === 'dark' ? 'light' : 'dark';
  const language = i18n.language === 'zh' ? 'en' : 'zh';
  return (
    <footer className="mt-12 flex flex-wrap items-center justify-between gap-x-4 border-line border-t pt-4">
      <p className="py-2 text-fg-3 text-sm">{t('footer.promise')}</p>
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
        <PreferenceButton
          lang={langOf(language)}
          onClick={() => {
            chooseLanguage(language).catch(() => toast(t('common.unreachable'), 'bad'));
          }}
        >
          {language === 'zh' ? '中文' : 'English'}
        </PreferenceButton>
        <PreferenceButton onClick={() => chooseTheme(next)}>
          {next === 'light' ? <SunIcon /> : <MoonIcon />}
          {t(`footer.${next}`)}
        </PreferenceButton>
        <PreferenceButton pressed={isReduced} onClick={() => chooseReducedMotion(!isReduced)}>
          <MotionIcon />
          {t('footer.lessMotion')}
        </PreferenceButton>
      </div>
    </footer>
  );
}

function PreferenceButton(props: {
  lang?: string;
  pressed?: boolean;
  onClick(): void;
  children: ReactNode;
}) {
  const { lang, pressed, onClick, children } = props;
  return (
    <button
      type="button"
      className={`${LINK} ${pressed ? 'text-brass' : ''}`}
      lang={lang}
      aria-pressed={pressed}
      onClick={onClick}
    >
      {children}
    </button>
  );
}
