import { SharedTexts as Texts } from '@reelbook/web/texts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Gives shared components their texts in the language around them. */
export function SharedTexts({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return <Texts value={(key) => t(`common.${key}`)}>{children}</Texts>;
}
