import type { RevealedSeed, Seeds } from '@reelbook/contract/player/fairness';
import { seedMatches } from '@reelbook/games/fairness/commit';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Field } from '@reelbook/web/components/field';
import { ArrowIcon } from '@reelbook/web/components/icons';
import { LoadFailed, SkeletonRows } from '@reelbook/web/components/states';
import { dateTime, formatInteger, shortHash } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectButton } from '../../components/connect-button.tsx';
import { Copied } from '../../components/copied.tsx';
import { Pager } from '../../components/pager.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { useRotate } from '../../components/use-rotate.ts';
import { api } from '../../lib/api.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { randomClientSeed } from '../../lib/own-seed.ts';
import { PLAYER_DATA } from '../../lib/queries.ts';
import { CLIENT_SEED_MAX_LENGTH, chosenBy, isClientSeed, seeds } from '../../lib/seeds.ts';
import { session } from '../../lib/session-store.ts';
import { VerifyForm } from './verify-form.tsx';

const STEPS = ['commit', 'choose', 'draw', 'row', 'lasts', 'reveal'] as const;
type Step = (typeof STEPS)[number];

const CODE: Partial<Record<Step, string>> = {
  commit: 'hash = SHA-256(server seed, 32 bytes)',
  draw: 'HMAC-SHA256(server seed, "client seed:nonce:0")',
  lasts: 'round seed = HMAC-SHA256(server seed, "client seed:nonce")',
};

/** How a result follows from the seeds, in words and as code. */
export function Formula() {
  const { t } = useTranslation();
  return (
    <Card title={t('formula.title')}>
      <ol className="flex flex-col gap-3 pb-2 text-sm">
        {STEPS.map((step, index) => (
          <li key={step} className="flex gap-3">
            <span className="font-mono text-brass">{index + 1}</span>
            <div className="min-w-0">
              <p className="text-fg-2">{t(`formula.${step}`)}</p>
              {CODE[step] && <Code>{CODE[step]}</Code>}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Code({ children }: { children: string }) {
  return (
    <code className="mt-1.5 block wrap-anywhere rounded-sm border border-line bg-ink-2 px-2.5 py-1.5 font-mono text-fg text-xs">
      {children}
    </code>
  );
}

const PAGE_SIZE = 20;
const SKELETON_ROWS = 3;

const pairNonces = (pair: number, page: number) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'nonces', pair, page],
    queryFn: () =>
      api.call('pairNonces', {
        params: { pair: String(pair) },
        query: { page, page_size: PAGE_SIZE },
      }),
    placeholderData: keepPreviousData,
  });

/** Every nonce of a seed pair in order, each with its round: a gap would show. */
export function PairNonces({ pair }: { pair: number }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const [page, setPage] = useState(1);
  const { data, isError, refetch } = useQuery(pairNonces(pair, page));
  return (
    <section className="pb-4" aria-label={t('fairness.nonces')}>
      <p className="pb-1 text-fg-3 text-xs">{t('fairness.nonces')}</p>
      {!data && isError && <LoadFailed retry={() => void refetch()} />}
      {!data && !isError && <SkeletonRows count={SKELETON_ROWS} className="h-11" />}
      {data?.items.length === 0 && (
        <p className="py-2 text-fg-2 text-sm">{t('fairness.noNonces')}</p>
      )}
      <ol>
        {data?.items.map((one) => (
          <li
            key={one.nonce}
            className="grid min-h-11 grid-cols-[3.5rem_1fr_auto] items-center gap-x-3 border-line border-t text-sm"
          >
            <span className="font-mono text-fg-3">{formatInteger(one.nonce)}</span>
            <span className="min-w-0">
              {textsOf(one.game).name}{' '}
              <span className={one.status === 'won' ? 'text-mint' : 'text-fg-2'}>
                {t(`fairness.status.${one.status}`)}
                {one.reason && `: ${one.reason}`}
              </span>
            </span>
            <PositionChip
              position={one.position ?? one.bet_position}
              {...(one.position === null ? {} : { roundId: one.round_id })}
            />
          </li>
        ))}
      </ol>
      {data && (
        <Pager page={page} pageSize={PAGE_SIZE} total={data.total} onPage={setPage} isOldestFirst />
      )}
    </section>
  );
}

/** Every revealed pair, newest first; each opens to its full text. */
export function RevealedSeeds({ revealed }: { revealed: readonly RevealedSeed[] }) {
  const { t } = useTranslation();
  if (revealed.length === 0) return null;
  return (
    <Card title={t('fairness.allRevealed')} className="mb-4 lg:mb-6">
      <ul>
        {revealed.map((pair) => (
          <li key={pair.pair} className="border-line border-b last:border-0">
            <Pair pair={pair} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** One pair; its rounds are loaded when it is opened. */
function Pair({ pair }: { pair: RevealedSeed }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="grid min-h-12 list-none grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 py-2 text-sm sm:grid-cols-[11rem_1fr_auto_7rem]">
        <span className="font-mono text-fg-3">{dateTime(pair.revealed_at)}</span>
        <span className="font-mono text-fg-2 max-sm:order-3">{shortHash(pair.server_seed)}</span>
        <span className="text-fg-3 max-sm:order-4">
          {t('fairness.rounds', { count: pair.nonces, rounds: formatInteger(pair.nonces) })}
        </span>
        <span className="flex items-center justify-end gap-3 max-sm:order-2">
          <PositionChip position={pair.position} />
          <span className={`text-fg-3 ${isOpen ? '-rotate-90' : 'rotate-90'}`}>
            <ArrowIcon />
          </span>
        </span>
      </summary>
      <dl className="break-all pb-4 font-mono text-fg-2 text-xs">
        <dt className="font-sans text-fg-3">{t('eventField.serverSeed')}</dt>
        <dd>
          <Copied label={t('eventField.serverSeed')} value={pair.server_seed} />
        </dd>
        <dt className="mt-2 font-sans text-fg-3">{t('fairness.hash')}</dt>
        <dd>
          <Copied label={t('fairness.hash')} value={pair.server_seed_hash} />
        </dd>
        <dt className="mt-2 font-sans text-fg-3">{t('eventField.clientSeed')}</dt>
        <dd>
          {pair.client_seed ? (
            <Copied label={t('eventField.clientSeed')} value={pair.client_seed} />
          ) : (
            t('fairness.emptySeed')
          )}
        </dd>
      </dl>
      {isOpen && <PairNonces pair={pair.pair} />}
    </details>
  );
}

/** Reveals the active seed and activates the next one with the player's client seed. */
export function RotateForm() {
  const { t } = useTranslation();
  const [clientSeed, setClientSeed] = useState(randomClientSeed);
  const { busy, send } = useRotate(() => {
    setClientSeed(randomClientSeed());
    toast(t('fairness.rotated'), 'good');
  });
  const isValid = isClientSeed(clientSeed);

  return (
    <form
      className="my-4 rounded-lg border border-line bg-ink-1 px-5 py-4 lg:my-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (isValid) send(clientSeed);
      }}
    >
      <h2 className="text-lg">{t('fairness.rotateTitle')}</h2>
      <p className="mb-3 text-fg-2 text-sm">{t('fairness.rotateText')}</p>
      <div className="grid items-end gap-3 md:grid-cols-[1fr_auto_auto]">
        <Field
          label={t('fairness.ownSeed')}
          value={clientSeed}
          maxLength={CLIENT_SEED_MAX_LENGTH}
          onChange={setClientSeed}
          error={isValid ? null : t('fairness.badClientSeed')}
        />
        <Button onClick={() => setClientSeed(randomClientSeed())}>{t('fairness.random')}</Button>
        <Button look="primary" type="submit" disabled={!isValid || busy}>
          {t(busy ? 'proof.revealing' : 'fairness.rotate')}
        </Button>
      </div>
    </form>
  );
}

/** The three stages of a seed pair, in order. */
export function SeedCards({ seeds }: { seeds: Seeds }) {
  const { t } = useTranslation();
  const [last] = seeds.revealed;
  return (
    <div className="grid gap-4 md:grid-cols-3">
      <Stage title={t('fairness.next')} hint={t('fairness.nextHint')}>
        <dl>
          <Value label={t('fairness.hash')} copied={seeds.next.server_seed_hash} />
        </dl>
      </Stage>
      <Stage title={t('fairness.active')} hint={t('fairness.activeHint')} isActive>
        <dl>
          <Value label={t('fairness.hash')} copied={seeds.active.server_seed_hash} />
          <Value label={t('eventField.clientSeed')} copied={seeds.active.client_seed}>
            {!seeds.active.client_seed && t('fairness.emptySeed')}
            <ChosenBy by={chosenBy(seeds)} />
          </Value>
          <Value label={t('fairness.nextNonce')}>{formatInteger(seeds.active.nonce)}</Value>
        </dl>
      </Stage>
      <Stage title={t('fairness.revealed')} hint={t('fairness.revealedHint')}>
        {last ? (
          <>
            <dl>
              <Value label={t('eventField.serverSeed')} copied={last.server_seed} />
              <Value label={t('fairness.hash')} copied={last.server_seed_hash} />
            </dl>
            <div className="flex flex-wrap items-center justify-between gap-2 pt-3">
              {seedMatches(last.server_seed, last.server_seed_hash) ? (
                <Badge tone="good" tick>
                  {t('fairness.seedMatches')}
                </Badge>
              ) : (
                <Badge tone="bad">{t('fairness.seedDiffers')}</Badge>
              )}
              <PositionChip position={last.position} own />
            </div>
          </>
        ) : (
          <p className="py-3 text-fg-3 text-sm">{t('fairness.noneRevealed')}</p>
        )}
      </Stage>
    </div>
  );
}

function ChosenBy({ by }: { by: ReturnType<typeof chosenBy> }) {
  const { t } = useTranslation();
  return (
    <span className="mt-1.5 block font-sans">
      <Badge tone={by === 'here' ? 'good' : 'brass'} tick={by === 'here'}>
        {t(`fairness.chosenBy.${by}`)}
      </Badge>
    </span>
  );
}

function Stage({
  title,
  hint,
  isActive = false,
  children,
}: {
  title: string;
  hint: string;
  isActive?: boolean;
  children: ReactNode;
}) {
  return (
    <section
      className={`rounded-lg border bg-ink-1 px-5 py-4 ${isActive ? 'border-brass' : 'border-line'}`}
    >
      <h2 className="text-lg">{title}</h2>
      <p className="mb-2 text-fg-3 text-sm">{hint}</p>
      {children}
    </section>
  );
}

/** A value; a long one in full, for comparison, with a button that copies it. */
function Value(props: { label: string; copied?: string; children?: ReactNode }) {
  const { label, copied, children } = props;
  return (
    <div className="border-line border-t py-2.5">
      <dt className="text-fg-3 text-xs">{label}</dt>
      <dd className="break-all font-mono text-fg-2 text-xs">
        {copied && <Copied label={label} value={copied} />}
        {children}
      </dd>
    </div>
  );
}

/** How every result can be checked: the seeds, the formula, and a form to try it. */
export function Fairness() {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  return (
    <>
      <header className="mb-6 max-w-[640px]">
        <h1 className="text-2xl">{t('nav.fairness')}</h1>
        <p className="mt-2 text-fg-2">{t('fairness.lead')}</p>
      </header>
      {signedIn ? (
        <MySeeds />
      ) : (
        <div className="mb-6 flex flex-wrap items-center justify-between gap-4 rounded-lg border border-line bg-ink-1 px-5 py-4">
          <p className="text-fg-2">{t('fairness.visitor')}</p>
          <ConnectButton />
        </div>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2 lg:gap-6">
        <VerifyForm />
        <Formula />
      </div>
    </>
  );
}

function MySeeds() {
  const { data, isError, refetch } = useQuery(seeds);
  if (!data && isError) return <LoadFailed retry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={5} />;
  return (
    <>
      <SeedCards seeds={data} />
      <RotateForm />
      <RevealedSeeds revealed={data.revealed} />
    </>
  );
}
