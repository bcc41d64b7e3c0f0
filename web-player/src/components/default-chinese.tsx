import { useStore } from '@reelbook/web/store';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { textsIn } from '../lib/i18n.ts';
import { langOf } from '../lib/language.ts';
import { chosenLanguage } from '../lib/texts.ts';
import { SharedTexts } from './shared-texts.tsx';

/** A part of the page that is Chinese until the player has chosen a language. */
export function DefaultChinese({ children }: { children: ReactNode }) {
  const chosen = useStore(chosenLanguage);
  const [chinese] = useState(() => textsIn('zh'));
  // The same elements in both cases, so that a choice in the middle of a round keeps the round.
  return (
    <I18nextProvider i18n={chosen === null ? chinese : i18next}>
      <SharedTexts>
        <div lang={langOf(chosen ?? 'zh')}>{children}</div>
      </SharedTexts>
    </I18nextProvider>
  );
}
