import { textOf } from '../lib/refusal-text.ts';
import { useTexts } from '../lib/texts.ts';

/** An error in the language of the page, or in English if it has no translation. */
export function Refusal({ error }: { error: unknown }) {
  useTexts();
  const { translated, english } = textOf(error);
  return (
    <>
      {translated}
      {english !== '' && <span lang="en">{english}</span>}
    </>
  );
}
