import type { ReactNode } from 'react';
import { chooseReducedMotion, useReducedMotion } from '../motion.ts';
import { useStore } from '../store.ts';
import { useText } from '../texts.ts';
import { chooseTheme, theme } from '../theme.ts';
import { MoonIcon, MotionIcon, SunIcon } from './icons.tsx';

/** Theme and motion. `isShort`: as icons only. */
export function PreferenceButtons(props: { className: string; isShort?: boolean }) {
  const { className, isShort = false } = props;
  const textOf = useText();
  const isReduced = useReducedMotion();
  const next = useStore(theme) === 'dark' ? 'light' : 'dark';
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
        onClick={() => chooseTheme(next)}
        {...named(textOf(next), next === 'light' ? <SunIcon /> : <MoonIcon />)}
      />
      <button
        type="button"
        className={`${className} ${isReduced ? 'text-brass' : ''}`}
        aria-pressed={isReduced}
        onClick={() => chooseReducedMotion(!isReduced)}
        {...named(textOf('lessMotion'), <MotionIcon />)}
      />
    </>
  );
}
