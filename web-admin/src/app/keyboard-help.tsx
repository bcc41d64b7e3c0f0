import { Dialog } from '@reelbook/web/components/dialog';
import { PAGE_NAMES } from '../lib/paths.ts';
import { LETTERS } from './navigation.tsx';

const KEYS = [
  ['/', 'Search and filter'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open row'],
  ['n', 'Back to now'],
  ['?', 'Keyboard shortcuts'],
] as const;

/** Lists the keyboard shortcuts. */
export function KeyboardHelp({ onClose }: { onClose(): void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} wide>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <dl>
          {KEYS.map(([key, name]) => (
            <Key key={key} keys={[key]}>
              {name}
            </Key>
          ))}
        </dl>
        <dl>
          {Object.entries(LETTERS).map(([page, letter]) => (
            <Key key={page} keys={['g', letter]}>
              {PAGE_NAMES[page as keyof typeof LETTERS]}
            </Key>
          ))}
        </dl>
      </div>
    </Dialog>
  );
}

function Key({ keys, children }: { keys: readonly string[]; children: string }) {
  return (
    <div className="flex items-center justify-between gap-4 border-line border-b py-1.5 text-sm last:border-0">
      <dd className="text-fg-2">{children}</dd>
      <dt className="flex gap-1">
        {keys.map((key, order) => (
          <kbd key={order} className="key">
            {key}
          </kbd>
        ))}
      </dt>
    </div>
  );
}
