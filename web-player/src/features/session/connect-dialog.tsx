import { ApiError } from '@reelbook/contract/client';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { Dialog } from '@reelbook/web/components/dialog';
import { DownloadIcon, WalletIcon } from '@reelbook/web/components/icons';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import {
  type BrowserWallet,
  OtherSiteError,
  WalletError,
} from '@reelbook/web/wallets/browser-wallet';
import {
  DEVELOPMENT_WALLET_NAME,
  registerDevelopmentWallet,
} from '@reelbook/web/wallets/development-wallet';
import { isEthereumOnly, listWallets, watchWallets } from '@reelbook/web/wallets/wallets';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { health } from '../../lib/queries.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { clockLag } from '../../lib/server-clock.ts';
import { signIn } from './sign-in.ts';

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

/** One wallet to choose; the development wallet has a label. */
export function WalletButton({
  wallet,
  busy,
  onPress,
}: {
  wallet: BrowserWallet;
  /** The wallet with a pending request, if any. */
  busy: string | null;
  onPress(): void;
}) {
  const { t } = useTranslation();
  const isDevelopment = wallet.name === DEVELOPMENT_WALLET_NAME;
  return (
    <button
      type="button"
      disabled={busy !== null}
      onClick={onPress}
      className="flex min-h-14 w-full items-center gap-3 rounded-md border border-line bg-ink-2 px-4 py-3 text-left transition-colors duration-150 hover:border-brass disabled:text-fg-3"
    >
      {wallet.icon ? (
        <img src={wallet.icon} alt="" width="32" height="32" className="rounded-sm" />
      ) : (
        <span className="grid size-8 place-items-center rounded-sm bg-ink-3 text-brass">
          <WalletIcon />
        </span>
      )}
      <span className="flex-1">
        <span className="flex flex-wrap items-center gap-x-3 gap-y-1 font-medium">
          {isDevelopment ? t('connectWallet.development') : wallet.name}
          {isDevelopment && <Badge tone="brass">{t('connectWallet.localOnly')}</Badge>}
        </span>
        {isDevelopment && (
          <span className="mt-1 block text-fg-3 text-xs">{t('connectWallet.developmentHint')}</span>
        )}
      </span>
      {busy === wallet.name && <span className="text-fg-2 text-sm">{t('common.waiting')}</span>}
    </button>
  );
}

/** Lists the wallets to sign in with; without one, what to install. */
export function ConnectDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const wallets = useWallets();
  const { busy, error, connect, stop } = useConnect(onClose);
  const [wantsOther, setWantsOther] = useState(false);
  const close = () => {
    stop();
    onClose();
  };
  const own = wallets.filter(({ name }) => name !== DEVELOPMENT_WALLET_NAME);
  const refused = isEthereumOnly(own);
  const list = (
    <ul className="flex flex-col gap-2">
      {wallets.map((wallet) => (
        <li key={wallet.name}>
          <WalletButton wallet={wallet} busy={busy} onPress={() => connect(wallet)} />
        </li>
      ))}
    </ul>
  );
  const lagMinutes = Math.round(Math.abs(useStore(clockLag)) / 60_000);
  const failure = (
    <>
      {lagMinutes > 0 && (
        <p className="mt-3 text-brass text-sm">{t('connectWallet.clock', { count: lagMinutes })}</p>
      )}
      <p className="mt-3 min-h-5 text-coral text-sm" role="alert">
        {error}
      </p>
    </>
  );
  if (wallets.length === 0 || refused || wantsOther) {
    const why = refused ? 'notEthereum' : own.length === 0 ? 'none' : null;
    return (
      <InstallWallet why={why} onClose={close}>
        {wallets.length > 0 && (
          <>
            <p className="mt-5 mb-2 text-fg-2 text-sm">{t('install.instead')}</p>
            {list}
            {failure}
          </>
        )}
      </InstallWallet>
    );
  }
  return (
    <Dialog title={t('connectWallet.title')} onClose={close}>
      <p className="mb-4 text-fg-2 text-sm">{t('connectWallet.why')}</p>
      {list}
      {failure}
      <button
        type="button"
        className="min-h-11 font-medium text-brass text-sm hover:underline"
        onClick={() => setWantsOther(true)}
      >
        {t('connectWallet.other')}
      </button>
    </Dialog>
  );
}

/** The current wallets; the development wallet is added on a local chain. */
function useWallets(): readonly BrowserWallet[] {
  const { data } = useQuery(health);
  const [wallets, setWallets] = useState(listWallets);
  useEffect(() => watchWallets(() => setWallets(listWallets())), []);
  useEffect(() => {
    if (data?.local_chain === true) registerDevelopmentWallet();
  }, [data?.local_chain]);
  return wallets;
}

function useConnect(onClose: () => void) {
  const { t } = useTranslation();
  const asking = useRef<AbortController | null>(null);
  const { input, error, send } = useCommand({
    send: (wallet: BrowserWallet) => {
      asking.current = new AbortController();
      return signIn(wallet, asking.current.signal);
    },
    same: ({ name }) => name,
    onDone: () => {
      onClose();
      toast(t('connectWallet.done'), 'good');
    },
  });
  return {
    busy: input?.name ?? null,
    error: error === null ? '' : textOf(error),
    connect: send,
    stop: () => asking.current?.abort(),
  };

  function textOf(failed: unknown): string {
    if (failed instanceof WalletError) return t(`connecting.${failed.key}`);
    if (failed instanceof OtherSiteError)
      return t('connectWallet.otherSite', { origin: failed.origin });
    if (!(failed instanceof ApiError)) return t('connecting.failed');
    if (failed.code === 0) return t('common.unreachable');
    return t('connectWallet.refused', { why: refusalText(failed) });
  }
}
