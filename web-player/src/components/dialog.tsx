import { type ReactNode, useEffect, useId, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { CloseIcon } from './icons.tsx';

/** A modal on the platform's own dialog: focus stays inside, Escape and the backdrop close it. */
export function Dialog({
  title,
  onClose,
  children,
  wide = false,
}: {
  title: ReactNode;
  onClose(): void;
  children: ReactNode;
  wide?: boolean;
}) {
  const { t } = useTranslation();
  const box = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const opener = document.activeElement;
    box.current?.showModal();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the dialog's own; this is the backdrop.
    <dialog
      ref={box}
      aria-labelledby={titleId}
      className={`dialog ${wide ? 'dialog-wide' : ''}`}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === box.current) box.current.close();
      }}
    >
      <div className="p-5 sm:p-6">
        <header className="mb-4 flex items-start justify-between gap-4">
          <h2 id={titleId} className="pt-1.5 text-xl">
            {title}
          </h2>
          <button
            type="button"
            className="-mt-1 -mr-2 grid size-11 place-items-center rounded-md text-fg-2 hover:bg-ink-3"
            aria-label={t('common.close')}
            onClick={() => box.current?.close()}
          >
            <CloseIcon />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
