import * as Radix from '@radix-ui/react-dialog';
import { type ReactNode, useState } from 'react';
import { useText } from '../texts.ts';
import { CloseIcon } from './icons.tsx';

interface Props {
  title: ReactNode;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
  /** False when an answer is required: neither Escape nor a press outside closes it. */
  dismissible?: boolean;
  className?: string;
  /** Focuses the first field, or the dialog if it has none, instead of the close button. */
  focusesField?: boolean;
}

const FIELDS = 'input:enabled, textarea:enabled, select:enabled';

const DOUBLE_PRESS_MS = 500;

/** A modal: focus stays inside and returns to where it was; Escape and the backdrop close it. */
export function Dialog(props: Props) {
  const { title, onClose, children, wide = false, dismissible = true, className = '' } = props;
  const [opener] = useState(() => document.activeElement);
  const [openedAtMs] = useState(() => performance.now());
  const textOf = useText();
  const keepOpen = (event: Event) => {
    if (!dismissible) event.preventDefault();
  };
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="veil">
          <Radix.Content
            className={`dialog ${wide ? 'dialog-wide' : ''} ${className}`}
            aria-describedby={undefined}
            onClickCapture={(event) => {
              // The second press of a double press on the button that opened the dialog.
              if (event.detail < 2) return;
              event.preventDefault();
              event.stopPropagation();
            }}
            onOpenAutoFocus={(event) => {
              const content = event.target;
              if (!props.focusesField || !(content instanceof HTMLElement)) return;
              event.preventDefault();
              const field = content.querySelector(FIELDS);
              (field instanceof HTMLElement ? field : content).focus();
            }}
            onCloseAutoFocus={(event) => {
              // Radix returns the focus to a trigger, and no dialog has one.
              event.preventDefault();
              returnFocus(opener);
            }}
            onEscapeKeyDown={keepOpen}
            onPointerDownOutside={(event) => {
              keepOpen(event);
              // The second press of a double press on the opener may land outside.
              if (performance.now() - openedAtMs < DOUBLE_PRESS_MS) event.preventDefault();
            }}
            onInteractOutside={(event) => {
              // A toast lies over the dialog: pressing it is not a press outside. A dismissed one is no longer in the page,
              // because Radix reports the press at its click.
              const { target } = event;
              if (!(target instanceof Element)) return;
              if (!target.isConnected || target.closest('.toasts')) event.preventDefault();
            }}
          >
            <div className="p-5 sm:p-6">
              <header className="mb-4 flex items-start justify-between gap-4">
                <Radix.Title className="pt-1.5 text-xl">{title}</Radix.Title>
                {dismissible && (
                  <Radix.Close
                    className="-mt-1 -mr-2 grid size-11 shrink-0 place-items-center rounded-md text-fg-2 hover:bg-ink-3"
                    aria-label={textOf('close')}
                  >
                    <CloseIcon />
                  </Radix.Close>
                )}
              </header>
              {children}
            </div>
          </Radix.Content>
        </Radix.Overlay>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** To the element that opened the dialog, or to the page if the element is gone or disabled. */
function returnFocus(opener: Element | null): void {
  const canFocus = opener?.isConnected && opener !== document.body && !opener.matches(':disabled');
  const to = canFocus ? opener : document.querySelector('main');
  if (to instanceof HTMLElement) to.focus({ preventScroll: true });
}
