import { ApiError } from '@reelbook/contract/client';
import type { EventProof } from '@reelbook/contract/player/fairness';
import { anchorRequest, findOnChainFault } from '@reelbook/games/proofs/anchor';
import { checkEvent } from '@reelbook/games/proofs/check-event';
import { readBody } from '@reelbook/ledger/codec';
import { type Asset, toNumber } from '@reelbook/ledger/money';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { SkeletonRows } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { amountText, dateTime, formatInteger, signedText } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectButton } from '../../components/connect-button.tsx';
import { Copied } from '../../components/copied.tsx';
import { Lost } from '../../components/lost.tsx';
import { api } from '../../lib/api.ts';
import { PLAYER_DATA, systemConfig } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';

type AnchorProof = NonNullable<NonNullable<EventProof['inclusion']>['anchor']>;

const TIMEOUT_MS = 10_000;

/** Where a seal is anchored on Solana, and a check on the chain when the player requests it. */
export function AnchorCheck({ anchor }: { anchor: AnchorProof }) {
  const { t } = useTranslation();
  const { data: system } = useQuery(systemConfig);
  const rpcUrl = system?.rpc_url ?? null;
  const check = useMutation({
    mutationFn: async (url: string) => findOnChainFault(anchor, await query(url, anchor)),
  });
  return (
    <div className="flex flex-wrap items-center gap-3 border-line border-t py-3">
      <p className="basis-full break-all text-fg-2 text-xs leading-5">
        {t('event.anchor', { slot: formatInteger(anchor.slot), signature: anchor.signature })}
      </p>
      {rpcUrl !== null && !check.isSuccess && (
        <Button onClick={() => check.mutate(rpcUrl)} disabled={check.isPending}>
          {t('event.askChain')}
        </Button>
      )}
      <span role="status">
        {check.isError && t('event.chainAway')}
        {check.isSuccess && check.data === null && (
          <Badge tone="good" tick>
            {t('event.onChain')}
          </Badge>
        )}
        {check.isSuccess && check.data !== null && <Badge tone="bad">{check.data}</Badge>}
      </span>
    </div>
  );
}

/** Throws when no RPC responds. `findOnChainFault` checks the response. */
async function query(rpcUrl: string, anchor: AnchorProof): Promise<unknown> {
  const response = await fetch(new URL(rpcUrl, location.origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(anchorRequest(anchor)),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return response.json();
}

/** The fields that the readable view shows, in its order. The raw event has all. */
const FIELDS = [
  ...(['pointsMinor', 'stakeMinor', 'payoutMinor', 'fromMinor', 'toMinor', 'deltaMinor'] as const),
  ...(['amountMinor', 'feeMinor', 'netMinor', 'to', 'withdrawal', 'signature', 'slot'] as const),
  ...(['attempt', 'approvals', 'needed', 'game', 'round', 'rules', 'pair', 'nonce'] as const),
  ...(['nonces', 'clientSeed', 'serverSeed', 'serverSeedHash', 'nickname', 'publicId'] as const),
  ...(['kind', 'period', 'fromMs', 'untilMs', 'everyMs', 'reason', 'evidence'] as const),
] as const;

type FieldName = (typeof FIELDS)[number];

/** A value in human units. `word`: a code of the ledger that the catalogue translates, with its field. */
interface Fact {
  field: FieldName | 'afterPoints' | 'afterToken';
  text: string;
  asset: Asset | null;
  word: boolean;
}

export interface EventFacts {
  type: string;
  /** When it was recorded. */
  time: string;
  facts: readonly Fact[];
}

/** The readable facts of a recorded event; null for a text that is none. */
export function factsOf(body: string): EventFacts | null {
  try {
    const { type, time, data } = readBody(body);
    if (typeof type !== 'string' || typeof time !== 'string') return null;
    const fields = { ...data } as Readonly<Record<string, unknown>>;
    const facts = FIELDS.flatMap((field) => factOf(field, fields[field], fields));
    return { type, time, facts: [...facts, ...balancesOf(fields.after)] };
  } catch {
    return null;
  }
}

type Fields = Readonly<Record<string, unknown>>;

const MINUTE_MS = 60_000;

function factOf(field: FieldName, value: unknown, fields: Fields): Fact[] {
  if (value === undefined) return [];
  const plain = (text: string): Fact[] => [{ field, text, asset: null, word: false }];
  const word = (code: string): Fact[] => [{ field, text: code, asset: null, word: true }];
  if (value === null) return field.endsWith('Minor') || field.endsWith('Ms') ? word('none') : [];
  if (typeof value === 'bigint') {
    const asset = assetOf(field, fields);
    const show = field === 'deltaMinor' ? signedText : amountText;
    return [{ field, text: show(asset, toNumber(asset, value)), asset, word: false }];
  }
  if (typeof value === 'number') {
    if (field === 'everyMs') return plain(`${formatInteger(value / MINUTE_MS)} min`);
    return plain(
      field.endsWith('Ms') ? dateTime(new Date(value).toISOString()) : formatInteger(value),
    );
  }
  if (typeof value !== 'string') return [];
  return field === 'kind' || field === 'period' ? word(value) : plain(value);
}

function assetOf(field: FieldName, fields: Fields): Asset {
  const isPoints = (named: unknown) => (named === 'points' ? 'points' : 'token');
  switch (field) {
    case 'pointsMinor':
    case 'stakeMinor':
    case 'payoutMinor':
      return 'points';
    case 'fromMinor':
      return isPoints(fields.fromAsset);
    case 'toMinor':
      return isPoints(fields.toAsset);
    case 'deltaMinor':
      return isPoints(fields.asset);
    case 'amountMinor':
      // Of a limit: only deposits are limited in BSM.
      return 'kind' in fields && fields.kind !== 'deposit' ? 'points' : 'token';
    default:
      return 'token';
  }
}

function balancesOf(after: unknown): Fact[] {
  if (typeof after !== 'object' || after === null) return [];
  const { pointsMinor, tokenMinor } = after as Fields;
  const of = (field: Fact['field'], asset: Asset, minor: unknown): Fact[] =>
    typeof minor === 'bigint'
      ? [{ field, text: amountText(asset, toNumber(asset, minor)), asset, word: false }]
      : [];
  return [...of('afterPoints', 'points', pointsMinor), ...of('afterToken', 'token', tokenMinor)];
}

const eventProof = (position: string) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'event', position],
    queryFn: () => api.call('event', { params: { position } }),
  });

/** One of the player's events as it was sealed, with the checks of this browser. */
export function EventDialog({ position, onClose }: { position: string; onClose(): void }) {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  const { data, error } = useQuery({ ...eventProof(position), enabled: signedIn });
  const isUnknown = error instanceof ApiError && error.code >= 400 && error.code < 500;
  return (
    <Dialog title={t('event.title', { position: shownPosition(position) })} onClose={onClose} wide>
      {!signedIn && (
        <div className="flex flex-col items-start gap-4">
          <p className="text-fg-2">{t('round.visitor')}</p>
          <ConnectButton />
        </div>
      )}
      {signedIn && error && (
        <div className="text-fg-2" role="alert">
          {t(isUnknown ? 'event.unknown' : 'common.loadFailed')}
          {isUnknown && <Lost />}
        </div>
      )}
      {signedIn && !error && !data && <SkeletonRows count={5} />}
      {data && <Proof event={data} />}
    </Dialog>
  );
}

const VIEWS = ['readable', 'raw'] as const;
type View = (typeof VIEWS)[number];

function Proof({ event }: { event: EventProof }) {
  const { t } = useTranslation();
  const fault = findFault(event);
  const facts = useMemo(() => factsOf(event.body), [event.body]);
  const [view, setView] = useState<View>('readable');
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center gap-3">
        {fault === null ? (
          <Badge tone="good" tick>
            {t(event.inclusion ? 'event.sealed' : 'event.chained')}
          </Badge>
        ) : (
          <Badge tone="bad">
            <span lang="en">{fault}</span>
          </Badge>
        )}
        {!event.inclusion && <Badge>{t('event.notSealed')}</Badge>}
      </div>
      <Tabs<View>
        label={t('eventView.label')}
        names={facts ? VIEWS : ['raw']}
        value={facts ? view : 'raw'}
        onChange={setView}
        titleOf={(name) => t(`eventView.${name}`)}
      >
        {facts && view === 'readable' ? <Facts of={facts} /> : <Raw event={event} />}
      </Tabs>
      {event.inclusion?.anchor && <AnchorCheck anchor={event.inclusion.anchor} />}
    </>
  );
}

function Facts({ of }: { of: EventFacts }) {
  const { t } = useTranslation();
  const { type, time, facts } = of;
  const isKnown = i18next.exists(`eventType.${type}`);
  return (
    <>
      <h3 className="mb-1 text-base">{isKnown ? t(`eventType.${type as 'BetPlaced'}`) : type}</h3>
      <dl>
        <Line label={t('eventView.time')}>{dateTime(time)}</Line>
        {facts.map(({ field, text, asset, word }) => (
          <Line key={field} label={t(`eventField.${field}`)}>
            <span className="break-all">{word ? t(`eventWord.${text as 'none'}`) : text}</span>
            {asset && <span className="text-fg-3 text-xs"> {t(`exchange.${asset}`)}</span>}
          </Line>
        ))}
      </dl>
    </>
  );
}

function Raw({ event }: { event: EventProof }) {
  const { t } = useTranslation();
  return (
    <>
      <p className="mb-3 text-fg-2 text-sm">{t('event.text')}</p>
      <Block label={t('event.body')}>{pretty(event.body)}</Block>
      <Hash label={t('event.previous')}>{event.previous_hash}</Hash>
      <Hash label={t('event.hash')}>{event.hash}</Hash>
      {event.inclusion && (
        <Hash label={t('event.root', { seal: formatInteger(event.inclusion.seal) })}>
          {event.inclusion.root}
        </Hash>
      )}
    </>
  );
}

const Hash = ({ label, children }: { label: string; children: string }) => (
  <Block label={label}>
    <Copied label={label} value={children} />
  </Block>
);

function Block({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="border-line border-t py-3">
      <p className="mb-1 text-fg-3 text-xs">{label}</p>
      <pre className="whitespace-pre-wrap break-all font-mono text-fg-2 text-xs leading-5">
        {children}
      </pre>
    </div>
  );
}

/** The first check that fails, of the event and the commitment to a bet's seeds; null: none does. */
function findFault(event: EventProof): string | null {
  return checkEvent(event).find(({ state }) => state === 'fails')?.message ?? null;
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

const shownPosition = (position: string) =>
  /^\d{1,15}$/.test(position) ? formatInteger(Number(position)) : position;
