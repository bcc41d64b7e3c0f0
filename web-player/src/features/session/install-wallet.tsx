import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { DownloadIcon } from '@reelbook/web/components/icons';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

const CHOICES = [
  { name: 'Phantom', href: 'https://phantom.com/download' },
  { name: 'Solflare', href: 'https://solflare.com/download' },
  { name: 'OKX Wallet', href: 'https://web3.okx.com/download' },
] as const;
const STEPS = ['choose', 'add', 'create', 'reload'] as const;

/** What a Solana wallet is, where to get one, and the next steps. */
export function InstallWallet({
  why,
  onClose,
  children,
}: {
  /** Null when the player opened it. */
  why: 'none' | 'notEthereum' | null;
  onClose(): void;
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('install.title')} onClose={onClose}>
      {why && (
        <p
          role="alert"
          className="mb-4 rounded-md border border-brass bg-brass-soft px-4 py-3 text-sm"
        >
          {t(`install.${why}`)}
        </p>
      )}
      <p className="mb-4 text-fg-2 text-sm">{t('install.text')}</p>
      <ul className="grid gap-2 sm:grid-cols-3">
        {CHOICES.map(({ name, href }) => (
          <li key={name}>
            <a
              href={href}
              target="_blank"
              rel="noreferrer"
              aria-label={t('install.download', { name })}
              className="flex min-h-14 items-center justify-between gap-2 rounded-md border border-line bg-ink-2 px-3 font-medium text-sm transition-colors hover:border-brass"
            >
              {name}
              <span className="text-brass">
                <DownloadIcon />
              </span>
            </a>
          </li>
        ))}
      </ul>
      <ol className="mt-5 flex flex-col gap-2.5">
        {STEPS.map((step, index) => (
          <li key={step} className="flex gap-3 text-sm">
            <span
              aria-hidden="true"
              className="grid size-6 shrink-0 place-items-center rounded-full bg-ink-3 font-mono text-brass text-xs"
            >
              {index + 1}
            </span>
            <span className="pt-0.5 text-fg-2">{t(`install.steps.${step}`)}</span>
          </li>
        ))}
      </ol>
      <Button look="primary" className="mt-6 w-full" onClick={onClose}>
        {t('install.understood')}
      </Button>
      {children}
    </Dialog>
  );
}
