import { PreferenceButtons } from '@reelbook/web/components/preference-buttons';

const BUTTON = `inline-flex min-h-9 min-w-9 items-center justify-center gap-2 rounded-sm px-2 text-xs
  text-fg-3 hover:bg-ink-3 hover:text-fg`;

/** Theme and motion. */
export function Preferences() {
  return (
    <div className="mt-2 flex flex-wrap">
      <PreferenceButtons className={BUTTON} isShort />
    </div>
  );
}
