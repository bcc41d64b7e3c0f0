import { useTranslation } from 'react-i18next';

/** Texts of the console in the chosen language. */
export const useTexts = () => useTranslation('console');

export type Texts = ReturnType<typeof useTexts>;
