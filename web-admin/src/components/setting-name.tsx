import { placeOf } from '../lib/setting-texts.ts';

/** The name of a configuration value, and its path. */
export function SettingName({ path }: { path: string }) {
  const { name } = placeOf(path);
  return (
    <>
      {name && <span className="block font-sans text-sm">{name}</span>}
      <span className="block break-all font-mono text-fg-3 text-xs">{path}</span>
    </>
  );
}
