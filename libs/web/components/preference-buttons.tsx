import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Language, langOf } from '../language.ts';
import { chooseReducedMotion, useReducedMotion } from '../motion.ts';
import { useStore } from '../store.ts';
import { chooseTheme, theme } from '../theme.ts';
import { toast } from '../toasts.ts';
import { MoonIcon, MotionIcon, SunIcon } from './icons.tsx';

/** Language, theme and motion. `isShort`: theme and motion as icons only. */
export function PreferenceButtons(props: {
  className: string;
  isShort?: boolean;
  chooseLanguage(language: Language): Promise<void>;
}) {
  const { className, isShort = false, chooseLanguage } = props;
  const { t, i18n } = useTranslation();
  const isReduced = useReducedMotion();
  const next = useStore(theme) === 'dark' ? 'light' : 'dark';
  const language = i18n.language === 'zh' ? 'en' : 'zh';
  const named = (name: string, icon: ReactNode) =>
    isShort
      ? { 'aria-label': name, title: name, children: icon }
      : {
          children: (
            <>
              {icon}
              {name}
            </>
          ),
        };
  return (
    <>
      <button
        type="button"
        className={className}
        lang={langOf(language)}
        onClick={() => {
          chooseLanguage(language).catch(() => toast(t('common.unreachable'), 'bad'));
        }}
      >
        {language === 'zh' ? '中文' : 'English'}
      </button>
      <button
        type="button"
        className={className}
        onClick={() => chooseTheme(next)}
        {...named(t(`common.${next}`), next === 'light' ? <SunIcon /> : <MoonIcon />)}
      />
      <button
        type="button"
        className={`${className} ${isReduced ? 'text-brass' : ''}`}
        aria-pressed={isReduced}
        onClick={() => chooseReducedMotion(!isReduced)}
        {...named(t('common.lessMotion'), <MotionIcon />)}
      />
    </>
  );
}
