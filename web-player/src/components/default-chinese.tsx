import { langOf } from '@reelbook/web/language';
import { useStore } from '@reelbook/web/store';
import { type ReactNode, useState } from 'react';
import { I18nextProvider } from 'react-i18next';
import { chosenLanguage, textsIn } from '../lib/i18n.ts';

/** A part of the page that is Chinese until the player has chosen a language. */
export function DefaultChinese({ children }: { children: ReactNode }) {
  const chosen = useStore(chosenLanguage);
  const [chinese] = useState(() => textsIn('zh'));
  if (chosen !== null) return children;
  return (
    <I18nextProvider i18n={chinese}>
      <div lang={langOf('zh')}>{children}</div>
    </I18nextProvider>
  );
}
