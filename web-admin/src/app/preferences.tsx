import { MoonIcon, MotionIcon, SunIcon } from '@reelbook/web/components/icons';
import { chooseReducedMotion, useReducedMotion } from '@reelbook/web/motion';
import { useStore } from '@reelbook/web/store';
import { chooseTheme, theme } from '@reelbook/web/theme';
import { toast } from '@reelbook/web/toasts';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, langOf } from '../lib/i18n.ts';
import { useTexts } from '../lib/texts.ts';

const BUTTON = `inline-flex min-h-9 min-w-9 items-center justify-center gap-2 rounded-sm px-2 text-xs
  text-fg-3 hover:bg-ink-3 hover:text-fg`;

/** Language, theme and motion. */
export function Preferences() {
  const { t, i18n } = useTexts();
  const { t: common } = useTranslation();
  const now = useStore(theme);
  const isReduced = useReducedMotion();
  const next = now === 'dark' ? 'light' : 'dark';
  const language = i18n.language === 'zh' ? 'en' : 'zh';
  return (
    <div className="mt-2 flex flex-wrap">
      <button
        type="button"
        className={BUTTON}
        lang={langOf(language)}
        onClick={() => {
          chooseLanguage(language).catch(() => toast(common('common.unreachable'), 'bad'));
        }}
      >
        {language === 'zh' ? '中文' : 'English'}
      </button>
      <button
        type="button"
        className={BUTTON}
        aria-label={t(`shell.${next}`)}
        title={t(`shell.${next}`)}
        onClick={() => chooseTheme(next)}
      >
        {next === 'light' ? <SunIcon /> : <MoonIcon />}
      </button>
      <button
        type="button"
        className={`${BUTTON} ${isReduced ? 'text-brass' : ''}`}
        aria-pressed={isReduced}
        aria-label={t('shell.lessMotion')}
        title={t('shell.lessMotion')}
        onClick={() => chooseReducedMotion(!isReduced)}
      >
        <MotionIcon />
      </button>
    </div>
  );
}
