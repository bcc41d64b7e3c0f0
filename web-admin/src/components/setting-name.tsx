import i18next from 'i18next';
import { placeOf } from '../lib/setting-texts.ts';
import { useTexts } from '../lib/texts.ts';

/** The name of a configuration value, and its path. */
export function SettingName({ path }: { path: string }) {
  const { t } = useTexts();
  const { key } = placeOf(path);
  return (
    <>
      {i18next.exists(key, { ns: 'console' }) && (
        <span className="block font-sans text-sm">{t(key as 'setting.game.rules')}</span>
      )}
      <span className="block break-all font-mono text-fg-3 text-xs">{path}</span>
    </>
  );
}
