import type { AdminData, Standing } from '@reelbook/admin/answers';
import type { Amount as AmountData } from '@reelbook/contract/admin/common';
import type { EvidenceQuery } from '@reelbook/contract/admin/events';
import { balanceLines } from '@reelbook/contract/english';
import type { ChangedValue } from '@reelbook/ledger/config/edit';
import { type Asset, toDecimal } from '@reelbook/ledger/money';
import { CHANGES_SHOWN } from '@reelbook/ledger/sentences';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { Icon } from '@reelbook/web/components/icons';
import { formatInteger, shortAddress } from '@reelbook/web/format';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { amountText, isZero, rounded, signedText, unitOf } from '../lib/amounts.ts';
import { api, saveFile } from '../lib/api.ts';
import { eventPath, explorerPath, playerPath } from '../lib/paths.ts';
import { useAt, useHere } from '../lib/point-in-time.ts';
import { read } from '../lib/queries.ts';
import { toastRefusal } from '../lib/refusal-text.ts';
import { placeOf, settingName, valueText } from '../lib/setting-texts.ts';
import { agoText, dateTimeText, localText, timeText } from '../lib/times.ts';

/** A number or an identifier. */
export const Mono = ({ children }: { children: ReactNode }) => (
  <span className="font-mono">{children}</span>
);
/** An identifier in small letters. */
export const Id = ({ children }: { children: ReactNode }) => (
  <span className="font-mono text-xs">{children}</span>
);

/** Brass: no fault, but unproven. */
export const auditTone = ({ clean, verdict }: NonNullable<AdminData<'job'>['audit']>) =>
  !clean ? 'bad' : verdict === 'UNPROVEN' ? 'brass' : 'good';

/** Style of what was before and what is after. */
export const DIFF = 'wrap-anywhere font-mono font-normal text-xs/[1.7]';

/** Lines of JSON. */
export const Code = ({ children }: { children: string }) => (
  <pre className="wrap-anywhere whitespace-pre-wrap px-4 py-3 font-mono font-normal text-xs/[1.6]">
    {children}
  </pre>
);

/** Buttons of which one is pressed. */
export function Choices<Value extends string>(props: {
  of: Readonly<Record<Value, string>>;
  value: Value;
  onChange(value: Value): void;
}) {
  const { of, value, onChange } = props;
  return (Object.keys(of) as Value[]).map((one) => (
    <Button
      key={one}
      size="small"
      look={one === value ? 'primary' : 'plain'}
      aria-pressed={one === value}
      onClick={() => onChange(one)}
    >
      {of[one]}
    </Button>
  ));
}

export const ASSET_NAMES: Readonly<Record<Asset, string>> = { points: 'Points', token: 'BSM' };

/** The name of an account of the house, or of a line of the trial balance. */
export const accountName = (account: string) =>
  (balanceLines as Readonly<Record<string, string>>)[account] ?? account;

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
      <Icon size={14}>
        <rect x="7" y="7" width="9" height="9" rx="1.5" />
        <path d="M13 4H5.5A1.5 1.5 0 0 0 4 5.5V13" />
      </Icon>
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

/** An amount with its unit. Only signed amounts are coloured. A rounded one has the exact amount as its title. */
export function Amount(props: {
  amount: AmountData;
  signed?: boolean;
  unit?: boolean;
  rounded?: boolean;
}) {
  const { amount, signed = false, unit = true } = props;
  const shown = props.rounded ? rounded(amount) : amount;
  const tone =
    !signed || isZero(amount) ? '' : amount.minor.startsWith('-') ? 'text-coral' : 'text-mint';
  return (
    <span
      className="whitespace-nowrap font-mono"
      title={props.rounded ? amountText(amount) : undefined}
    >
      <span className={tone} data-value={toDecimal(amount.asset, BigInt(amount.minor))}>
        {signed ? signedText(shown) : amountText(shown)}
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

/** A value of the configuration before and after. */
export function FromTo({ path, before, after }: ChangedValue) {
  return (
    <>
      <span className="text-coral">{valueText(path, before) || '—'}</span> →{' '}
      <span className="text-mint">{valueText(path, after) || '—'}</span>
    </>
  );
}

/** Changed values of the configuration, by name and path. */
export function SettingChanges({ changes }: { changes: readonly ChangedValue[] }) {
  return changes.map((change) => (
    <span key={change.path} className={`mb-2 block last:mb-0 ${DIFF}`}>
      <SettingName path={change.path} />
      <FromTo {...change} />
    </span>
  ));
}

/** The same in a sentence. */
export function ChangesText({ changes }: { changes: readonly ChangedValue[] }) {
  if (changes.length === 0) return 'first values';
  const more = changes.length - CHANGES_SHOWN;
  return (
    <>
      {changes.slice(0, CHANGES_SHOWN).map((change, order) => (
        <span key={change.path}>
          {order > 0 && ', '}
          {settingName(change.path)} <FromTo {...change} />
        </span>
      ))}
      {more > 0 && ` and ${more} more`}
    </>
  );
}

/** A time in UTC; its title has the local time and the age. `day`: always with the day. `full`: these next to it. */
export function Time(props: { iso: string; day?: boolean; full?: boolean }) {
  const { iso, day = false, full = false } = props;
  const time = day ? dateTimeText(iso).slice(0, 19) : timeText(iso);
  const ago = `${agoText(Math.max(0, (Date.now() - Date.parse(iso)) / 1_000))} ago`;
  const more = `${localText(iso)} · ${ago}`;
  return (
    <time
      dateTime={iso}
      data-value={iso}
      title={more}
      className={`font-mono ${full ? '' : 'whitespace-nowrap text-fg-2 text-xs'}`}
    >
      {full ? `${dateTimeText(iso)} UTC` : time}
      {full && <span className="ml-2 text-fg-3">{more}</span>}
    </time>
  );
}

/** Current figures. While a past point in time is selected they are grey and labelled. */
export function Now({ children }: { children: ReactNode }) {
  const [at] = useAt();
  if (at === null) return children;
  return (
    <div
      className="rounded-sm border border-line-strong border-dashed p-1 has-[>:last-child:empty]:hidden"
      data-now
    >
      <p className="px-1 pb-1 font-semibold text-fg-2 text-xs">Now</p>
      <div className="grayscale">{children}</div>
    </div>
  );
}

const STANDINGS = { suspended: 'Suspended', excluded: 'Excluded' };

/** Since when, by whom and why a player is suspended or excluded, with the event. Renders nothing for an active player. */
export function StandingOf(props: { standing: Standing; withBadge?: boolean }) {
  const { standing, withBadge = true } = props;
  return (['suspended', 'excluded'] as const).map((kind) => {
    const decided = standing[kind];
    if (!decided) return null;
    const { since, by, reason, position } = decided;
    const until = 'until' in decided ? decided.until : undefined;
    return (
      <span
        key={kind}
        data-testid="standing"
        className="mt-1 flex flex-wrap items-center gap-x-1.5 gap-y-0.5 text-fg-2 text-xs"
      >
        {withBadge ? (
          <Badge tone="bad">{STANDINGS[kind]}</Badge>
        ) : (
          <span className="text-coral">{STANDINGS[kind]}</span>
        )}
        {until !== undefined && (
          <span>{until === null ? 'permanently' : `until ${minute(until)} UTC`}</span>
        )}
        <span>since {minute(since)} UTC, by</span>
        <Actor actor={by} />
        {reason !== null && <span className="wrap-anywhere">“{reason}”</span>}
        <PositionChip position={position} />
      </span>
    );
  });
}

/** A player in a list, with the standing below. */
export function PlayerWithStanding(player: {
  wallet: string;
  nickname: string | null;
  standing: Standing;
}) {
  return (
    <span>
      <PlayerLink {...player} />
      <StandingOf standing={player.standing} />
    </span>
  );
}

const minute = (iso: string) => dateTimeText(iso).slice(0, 16);

/** Saves one signed file on an event, a round, a withdrawal or a player. */
export function EvidenceButton({ of, id }: { of: EvidenceQuery['of']; id: string }) {
  const { busy, send } = useCommand({
    send: async () => {
      const evidence = await api.call('evidence', { query: { of, id } });
      const file = new Blob([`${JSON.stringify(evidence)}\n`], { type: 'application/json' });
      saveFile(file, `reelbook-evidence-${of}-${id.replace(/[^\w-]/g, '_')}.json`);
    },
    onFailed: toastRefusal,
  });
  return (
    <Button
      size="small"
      disabled={busy}
      title="One signed file: events, proofs, causes, approvals and reasons"
      onClick={() => send()}
    >
      Save evidence
    </Button>
  );
}
