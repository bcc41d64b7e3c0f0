import i18next from 'i18next';
import { placeOf } from '../lib/setting-texts.ts';
import { useTexts } from '../lib/texts.ts';

/** What is set, in words, and its path, by which a shell and the events call it. */
export function SettingName({ path }: { path: string }) {
  const { t } = useTexts();
  const { words } = placeOf(path);
  return (
    <>
      {i18next.exists(words, { ns: 'console' }) && (
        <span className="block font-sans text-sm">{t(words as 'setting.game.rules')}</span>
      )}
      <span className="block break-all font-mono text-fg-3 text-xs">{path}</span>
    </>
  );
}
