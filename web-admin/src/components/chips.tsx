import type { AdminData } from '@reelbook/admin/answers';
import type { Amount as AmountData } from '@reelbook/contract/admin/common';
import { toDecimal } from '@reelbook/ledger/money';
import { formatInteger, shortAddress } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { amountText, isZero, signedText, unitOf } from '../lib/amounts.ts';
import { eventPath, explorerPath, playerPath } from '../lib/paths.ts';
import { useHere } from '../lib/point-in-time.ts';
import { read } from '../lib/queries.ts';
import { placeOf } from '../lib/setting-texts.ts';
import { CopyIcon } from './icons.tsx';

/** Copies a complete identifier, of which the page may show only a part. */
export function CopyButton({ text }: { text: string }) {
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => toast('Copied.', 'good'),
      () => toast(text),
    );
  return (
    <button
      type="button"
      className="ml-1 inline-grid size-6 place-items-center rounded-sm align-middle text-fg-3 hover:text-fg"
      aria-label={`Copy ${text}`}
      title="Copy"
      onClick={() => void copy()}
    >
      <CopyIcon />
    </button>
  );
}

const byWallet = (named: AdminData<'operatorNames'>): ReadonlyMap<string, string> =>
  new Map(named.map(({ operator, name }) => [operator, name]));

/** The current name of a wallet, if it is an operator's that has one. */
export function useOperatorName(wallet: string): string | undefined {
  return useQuery({ ...read('operatorNames'), select: byWallet }).data?.get(wallet);
}

/** A short wallet, after the name of its operator. */
export function WalletNamed({ wallet }: { wallet: string }) {
  const name = useOperatorName(wallet);
  return (
    <span
      data-value={name === undefined ? wallet : `${name} ${wallet}`}
      title={wallet}
      className="whitespace-nowrap"
    >
      {name !== undefined && <bdi className="mr-1.5">{name}</bdi>}
      <span className="font-mono text-fg-3 text-xs">{shortAddress(wallet)}</span>
    </span>
  );
}

/** Link to an event, by its position in the ledger. */
export function PositionChip({ position }: { position: number }) {
  const here = useHere();
  return (
    <Link
      to={here(eventPath(position))}
      data-value={position}
      className="chip-link inline-flex h-6 items-center rounded-sm border border-line bg-ink-2 px-1.5 font-mono text-fg-2 text-xs hover:border-brass hover:text-fg"
      aria-label={`Open event ${formatInteger(position)}`}
    >
      <span className="text-brass">#</span>
      {formatInteger(position)}
    </Link>
  );
}

/** An amount with its unit. Only signed amounts are coloured. */
export function Amount(props: { amount: AmountData; signed?: boolean; unit?: boolean }) {
  const { amount, signed = false, unit = true } = props;
  const tone =
    !signed || isZero(amount) ? '' : amount.minor.startsWith('-') ? 'text-coral' : 'text-mint';
  return (
    <span className="whitespace-nowrap font-mono">
      <span className={tone} data-value={toDecimal(amount.asset, BigInt(amount.minor))}>
        {signed ? signedText(amount) : amountText(amount)}
      </span>
      {unit && <span className="ml-1 text-fg-3 text-xs">{unitOf(amount.asset)}</span>}
    </span>
  );
}

/** Link to a player, by current nickname and wallet. */
export function PlayerLink(props: { wallet: string; nickname?: string | null }) {
  const { wallet, nickname } = props;
  const here = useHere();
  return (
    <Link
      to={here(playerPath(wallet))}
      className="whitespace-nowrap hover:underline"
      data-value={nickname ? `${nickname} ${wallet}` : wallet}
      title={wallet}
    >
      {nickname && <bdi className="mr-1.5">{nickname}</bdi>}
      <span className="font-mono text-fg-3 text-xs">{shortAddress(wallet)}</span>
    </Link>
  );
}

/** Link to the explorer, filtered by `token`. Long identifiers are shortened in the middle. */
export function FilterLink({ token, children }: { token: string; children: string }) {
  const here = useHere();
  return (
    <span>
      <Link
        to={here(explorerPath(token))}
        data-value={children}
        title={children}
        className="break-all font-mono text-xs hover:text-brass hover:underline"
      >
        {children.length > 34 ? `${children.slice(0, 12)}…${children.slice(-12)}` : children}
      </Link>
      <CopyButton text={children} />
    </span>
  );
}

const TYPE_TONES: readonly (readonly [RegExp, string])[] = [
  [/^(BetWon|DepositCredited|WelcomeGranted|UnmatchedDepositResolved)$/, 'text-mint'],
  [/^(BetPlaced|RoundStarted|SessionStarted)$/, 'text-sky'],
  [/^Withdrawal/, 'text-brass'],
  [/^(BetVoided|PlayerSuspended|SelfExcluded|OperatorAccessDenied|OperatorRevoked)$/, 'text-coral'],
];

/** The type of an event. */
export function TypeTag({ type }: { type: string }) {
  const tone = TYPE_TONES.find(([pattern]) => pattern.test(type))?.[1] ?? 'text-fg-2';
  return (
    <span
      className={`whitespace-nowrap rounded-sm bg-ink-3 px-2 py-0.5 font-semibold text-xs ${tone}`}
    >
      {type}
    </span>
  );
}

/** Longer names are wallets. */
const NAME_MAX = 20;

/** The actor of an event: a player, an operator or a component of the system. */
export function Actor({ actor }: { actor: string }) {
  const [kind = '', name = ''] = actor.split(/:(.*)/s);
  if (kind === 'player') return <PlayerLink wallet={name} />;
  return (
    <span title={actor} className="whitespace-nowrap">
      {kind}{' '}
      {name.length > NAME_MAX ? (
        <WalletNamed wallet={name} />
      ) : (
        <span className="font-mono text-fg-3 text-xs">{name}</span>
      )}
    </span>
  );
}

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
