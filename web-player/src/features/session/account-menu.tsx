import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { copyText } from '../../lib/copy-text.ts';
import { part } from '../../lib/parts.ts';
import { health } from '../../lib/queries.ts';
import { signOut } from './sign-in.ts';

const StartOver = part(async () => (await import('./start-over.tsx')).StartOver);

/** The player's account, and the disconnect button. */
export function AccountMenu(props: { address: string; className: string; children: ReactNode }) {
  const { address, className, children } = props;
  const { t } = useTranslation();
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => closeOnLeave(box), []);
  return (
    <details ref={box} className="relative">
      <summary
        aria-label={t('header.account', { address })}
        className={`list-none hover:text-fg [&::-webkit-details-marker]:hidden ${className}`}
      >
        {children}
      </summary>
      <div className="absolute right-0 z-30 mt-2 w-72 rounded-md border border-line-strong bg-ink-2 p-2 shadow-(--shadow)">
        <p className="px-3 pt-2 text-fg-3 text-xs">{t('header.address')}</p>
        <p className="break-all px-3 pb-2 font-mono text-fg-2 text-xs">{address}</p>
        <MenuButton
          onClick={() => {
            box.current?.removeAttribute('open');
            void copyText(address);
          }}
        >
          {t('header.copy')}
        </MenuButton>
        <div className="lg:hidden">
          <MenuButton onClick={() => void signOut()}>{t('header.disconnect')}</MenuButton>
        </div>
        <NewDevelopmentWallet />
      </div>
    </details>
  );
}

/** Where points cannot be bought yet, a new development wallet brings its welcome points. */
function NewDevelopmentWallet() {
  const { t } = useTranslation();
  const { data } = useQuery(health);
  const [isAsking, setAsking] = useState(false);
  if (data?.local_chain !== true) return null;
  return (
    <>
      <MenuButton onClick={() => setAsking(true)}>
        {t('header.newWallet')}
        <span className="block text-fg-3 text-xs">{t('header.newWalletHint')}</span>
      </MenuButton>
      {isAsking && (
        <Suspense fallback={null}>
          <StartOver onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </>
  );
}

function MenuButton({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="block min-h-11 w-full rounded-sm px-3 py-2 text-left text-sm hover:bg-ink-3"
    >
      {children}
    </button>
  );
}

/** Escape, or a press outside, closes the menu. */
function closeOnLeave(box: { current: HTMLDetailsElement | null }): () => void {
  const press = (event: Event) => {
    if (event.target instanceof Node && !box.current?.contains(event.target)) close();
  };
  const key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !box.current?.open) return;
    close();
    box.current.querySelector('summary')?.focus();
  };
  const close = () => box.current?.removeAttribute('open');
  document.addEventListener('pointerdown', press);
  document.addEventListener('keydown', key);
  return () => {
    document.removeEventListener('pointerdown', press);
    document.removeEventListener('keydown', key);
  };
}
