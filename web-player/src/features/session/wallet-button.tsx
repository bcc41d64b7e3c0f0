import { Badge } from '@reelbook/web/components/badge';
import { WalletIcon } from '@reelbook/web/components/icons';
import type { BrowserWallet } from '@reelbook/web/wallets/browser-wallet';
import { DEVELOPMENT_WALLET_NAME } from '@reelbook/web/wallets/development-wallet';
import { useTranslation } from 'react-i18next';

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
