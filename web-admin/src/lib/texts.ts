import { useTranslation } from 'react-i18next';

/** The texts of the console in the language that was chosen. */
export const useTexts = () => useTranslation('console');
