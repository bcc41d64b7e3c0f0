import { textOf } from '../lib/refusal-text.ts';
import { useTexts } from '../lib/texts.ts';

/** Why something did not come about, in the language of the page as far as there are words for it. */
export function Refusal({ error }: { error: unknown }) {
  useTexts();
  const { own, english } = textOf(error);
  return (
    <>
      {own}
      {english !== '' && <span lang="en">{english}</span>}
    </>
  );
}
