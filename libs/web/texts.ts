import { createContext, useContext } from 'react';
import type { english } from './english.ts';

/** The texts of shared components, from the app: in the language of the page, or of the part of it around them. */
export const SharedTexts = createContext((key: keyof typeof english): string => key);

export const useText = () => useContext(SharedTexts);
