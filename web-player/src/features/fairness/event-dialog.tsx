import { ApiError } from '@reelbook/contract/client';
import type { EventProof } from '@reelbook/contract/player/fairness';
import { checkEvent } from '@reelbook/games/proofs/check-event';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { SkeletonRows } from '@reelbook/web/components/states';
import { Tabs } from '@reelbook/web/components/tabs';
import { dateTime, formatInteger } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { queryOptions, useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { AnchorCheck } from './anchor-check.tsx';
import { type EventFacts, factsOf } from './event-facts.ts';

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
          <Button look="primary" onClick={openConnectDialog}>
            {t('connect.button')}
          </Button>
        </div>
      )}
      {signedIn && error && (
        <p className="text-fg-2" role="alert">
          {t(isUnknown ? 'event.unknown' : 'common.loadFailed')}
        </p>
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
      <Block label={t('event.previous')}>{event.previous_hash}</Block>
      <Block label={t('event.hash')}>{event.hash}</Block>
      {event.inclusion && (
        <Block label={t('event.root', { seal: formatInteger(event.inclusion.seal) })}>
          {event.inclusion.root}
        </Block>
      )}
    </>
  );
}

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
