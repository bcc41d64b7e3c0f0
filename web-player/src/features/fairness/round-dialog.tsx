import { ApiError } from '@reelbook/contract/client';
import type { ProvenRound } from '@reelbook/contract/player/fairness';
import { views } from '@reelbook/games/views';
import { toNumber } from '@reelbook/ledger/money';
import type { Outcome } from '@reelbook/ledger/player/events';
import { Badge } from '@reelbook/web/components/badge';
import { Button, buttonClass } from '@reelbook/web/components/button';
import { Line } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { CheckIcon, CrossIcon } from '@reelbook/web/components/icons';
import { SkeletonRows } from '@reelbook/web/components/states';
import { dateTime, formatInteger, points, signed } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { toast } from '@reelbook/web/toasts';
import { useCommand } from '@reelbook/web/use-command';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, Suspense, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectButton } from '../../components/connect-button.tsx';
import { Copied } from '../../components/copied.tsx';
import { Lost } from '../../components/lost.tsx';
import { PositionChip } from '../../components/position-chip.tsx';
import { RevealButton } from '../../components/reveal-button.tsx';
import { rowKey } from '../../components/row-name.ts';
import { SymbolRow } from '../../components/symbol-row.tsx';
import { api } from '../../lib/api.ts';
import { saveAs } from '../../lib/download.ts';
import { useGameTexts } from '../../lib/game-texts.ts';
import { proveRound, wouldHavePaid } from '../../lib/prove-round.ts';
import { checkOpenRound, type Proof, proveSlotRound } from '../../lib/prove-slot-round.ts';
import { provenRound } from '../../lib/seeds.ts';
import { session } from '../../lib/session-store.ts';
import { ShareRound } from './share-round.tsx';

/** The signed receipt of a round, and the page that checks it without this site. */
export function ReceiptLinks({ roundId }: { roundId: string }) {
  const { t } = useTranslation();
  const { busy, send } = useCommand({
    send: () => api.call('receipt', { params: { round_id: roundId } }),
    onDone: (receipt) => saveAs(`receipt-${roundId}.json`, fileOf(receipt)),
    onFailed: () => toast(t('common.loadFailed'), 'bad'),
  });
  return (
    <p className="mt-6 flex flex-wrap gap-3">
      <Button disabled={busy} onClick={() => send()}>
        {t('round.receipt')}
      </Button>
      <a className={buttonClass()} href="/verifier.html" download>
        {t('round.verifier')}
      </a>
    </p>
  );
}

const fileOf = (receipt: object) =>
  new Blob([JSON.stringify(receipt, null, 2)], { type: 'application/json' });

/** A round of any game: its result, and whether this browser draws the same by the rules. */
export function RoundByRules({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const { server_seed: seed } = round;
  const proof = useMemo(() => (seed === null ? null : proveRound(round, seed)), [round, seed]);
  const View = views[round.game.replaceAll('_', '-')];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="font-medium text-lg">{textsOf(round.game).name}</span>
        <span className={`font-mono text-lg ${round.win_amount > 0 ? 'text-mint' : 'text-fg-2'}`}>
          {signed(round.win_amount)}
        </span>
      </div>
      {View && (
        <div className="mx-auto mb-4 max-w-[220px]">
          <Suspense fallback={null}>
            <View outcome={round.outcome as Outcome} choice={round.choice} />
          </Suspense>
        </div>
      )}
      <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
        {proof === null && (
          <>
            <p className="mb-1 text-fg-2 text-sm">{t('round.why')}</p>
            <RevealButton />
          </>
        )}
        {proof?.ok && (
          <>
            <Badge tone="good" tick>
              {t('proof.verified')}
            </Badge>
            <p className="mt-2 text-fg-2 text-sm">
              {t('round.drawnAgain', { win: points(round.win_amount) })}
            </p>
          </>
        )}
        {proof && !proof.ok && <Badge tone="bad">{t('proof.differs')}</Badge>}
      </div>
    </>
  );
}

/** A round that an operator voided: the reason, and the payout that this browser computes from its seed. */
export function VoidedProof({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const textsOf = useGameTexts();
  const { server_seed: seed, bet_amount: stake } = round;
  const paid = useMemo(() => (seed === null ? null : wouldHavePaid(round, seed)), [round, seed]);
  const { voided: reason } = round.outcome as { readonly voided?: unknown };
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="font-medium text-lg">{textsOf(round.game).name}</span>
        <Badge>{t('fairness.status.voided')}</Badge>
      </div>
      <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
        <p className="mb-2 text-fg-2 text-sm wrap-anywhere">
          {t('round.voided', { stake: points(stake), reason: String(reason) })}
        </p>
        {seed === null && (
          <>
            <p className="mb-1 text-fg-2 text-sm">{t('round.why')}</p>
            <RevealButton />
          </>
        )}
        {paid !== null && (
          <Badge tone="good" tick>
            {t('round.wouldHavePaid', { paid: points(toNumber('points', paid)) })}
          </Badge>
        )}
        {seed !== null && paid === null && <Badge tone="bad">{t('proof.differs')}</Badge>}
      </div>
    </>
  );
}

/** The recorded facts of a round, and the checks of this browser. */
export function RoundProof({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const isSlot = round.symbols.length > 0;
  const isVoided = round.status === 'voided';
  return (
    <>
      {isVoided ? (
        <VoidedProof round={round} />
      ) : isSlot ? (
        <SlotProof round={round} />
      ) : (
        <RoundByRules round={round} />
      )}
      <ShareRound round={round} />
      <h3 className="mt-4 mb-1 text-base">{t('round.record')}</h3>
      <Record round={round} />
    </>
  );
}

function SlotProof({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const proof = useMemo(
    () => (round.server_seed === null ? null : proveSlotRound(round, round.server_seed)),
    [round],
  );
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <span className="flex items-center gap-3 font-medium text-lg">
          <SymbolRow symbols={round.symbols[0] ?? []} label={t(rowKey(round.row))} />
          {t(rowKey(round.row))}
        </span>
        <span className={`font-mono text-lg ${round.win_amount > 0 ? 'text-mint' : 'text-fg-2'}`}>
          {signed(round.win_amount)}
        </span>
      </div>
      {proof ? <Recomputation round={round} proof={proof} /> : <StillSecret round={round} />}
    </>
  );
}

function Record({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const { figures = {} } = useGameTexts()(round.game);
  return (
    <dl>
      <Line label={t('eventView.time')}>{dateTime(round.created_at)}</Line>
      <Line label={t('slot.bet')}>
        {points(round.bet_amount)} · #{formatInteger(round.bet_position)}
      </Line>
      <Line label={t('eventField.rules')}>{round.rules}</Line>
      {Object.entries(round.choice ?? {}).map(([name, value]) => (
        <Line key={name} label={figures[name] ?? name}>
          {value}
        </Line>
      ))}
      <Line label={t('eventField.nonce')}>{formatInteger(round.nonce)}</Line>
      <LongLine label={t('eventField.clientSeed')} none={t('fairness.emptySeed')}>
        {round.client_seed}
      </LongLine>
      <LongLine label={t('fairness.hash')}>{round.server_seed_hash}</LongLine>
      <LongLine label={t('eventField.serverSeed')} none={t('round.secret')}>
        {round.server_seed}
      </LongLine>
      <LongLine label={t('eventField.round')}>{round.round_id}</LongLine>
    </dl>
  );
}

/** Before the reveal: what can be checked already, and a reveal button. */
function StillSecret({ round }: { round: ProvenRound }) {
  const { t } = useTranslation();
  const { paytable } = checkOpenRound(round, null);
  return (
    <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
      <Badge tone={paytable ? 'plain' : 'bad'}>
        {t(paytable ? 'proof.paytable' : 'proof.differs')}
      </Badge>
      <p className="mt-2 mb-1 text-fg-2 text-sm">{t('round.why')}</p>
      <RevealButton />
    </div>
  );
}

function Recomputation({ round, proof }: { round: ProvenRound; proof: Proof }) {
  const { t } = useTranslation();
  const { drawn } = proof;
  const isCapped = drawn !== null && round.bet_amount * drawn.multiple > drawn.win;
  return (
    <div className="rounded-md border border-line bg-ink-2 px-4 py-3">
      <Badge tone={proof.ok ? 'good' : 'bad'} tick={proof.ok}>
        {t(proof.ok ? 'proof.verified' : 'proof.differs')}
      </Badge>
      <ol className="mt-2">
        <Step ok={proof.commitment}>{t('round.stepCommit')}</Step>
        {drawn && (
          <>
            <Step ok={drawn.outcomeOk}>
              {t('round.stepRow', {
                draw: formatInteger(drawn.rowDraw),
                row: t(rowKey(drawn.row)),
                nonce: formatInteger(round.nonce),
              })}
            </Step>
            <Step ok={drawn.outcomeOk}>
              {t('round.stepArrange', {
                draw: drawn.arrangementDraw + 1,
                of: drawn.arrangementCount,
              })}{' '}
              <SymbolRow symbols={drawn.symbols} label={t(rowKey(drawn.row))} />
            </Step>
            <Step ok={drawn.payoutOk}>
              {t(isCapped ? 'round.stepPayMost' : 'round.stepPay', {
                bet: points(round.bet_amount),
                multiple: drawn.multiple,
                win: points(drawn.win),
              })}
            </Step>
          </>
        )}
      </ol>
    </div>
  );
}

function Step({ ok, children }: { ok: boolean; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <li className="flex items-start gap-2.5 py-1.5 text-sm">
      <span className={`mt-1 ${ok ? 'text-mint' : 'text-coral'}`}>
        {ok ? <CheckIcon /> : <CrossIcon />}
        <span className="sr-only">{t(ok ? 'round.equal' : 'round.notEqual')}</span>
      </span>
      <span className="min-w-0 text-fg-2">{children}</span>
    </li>
  );
}

/** `none` is shown in place of a value that is empty. */
function LongLine(props: { label: string; none?: string; children: string | null }) {
  const { label, none, children } = props;
  return (
    <div className="border-line border-b py-2.5 text-sm last:border-0 sm:flex sm:justify-between sm:gap-8">
      <dt className="shrink-0 text-fg-2">{label}</dt>
      <dd className="break-all font-mono text-xs leading-5 sm:text-right">
        {children ? <Copied label={label} value={children} /> : none}
      </dd>
    </div>
  );
}

/** The proof of one round, over the current page. */
export function RoundDialog({ roundId, onClose }: { roundId: string; onClose(): void }) {
  const { t } = useTranslation();
  const signedIn = useStore(session) !== null;
  const { data, error } = useQuery({ ...provenRound(roundId), enabled: signedIn });
  const isUnknown = error instanceof ApiError && error.code === 404;
  const title = (
    <span className="flex flex-wrap items-center gap-3">
      {t('round.title')}
      {data && <PositionChip position={data.position} />}
    </span>
  );
  return (
    <Dialog title={title} onClose={onClose} wide>
      {!signedIn && (
        <div className="flex flex-col items-start gap-4">
          <p className="text-fg-2">{t('round.visitor')}</p>
          <ConnectButton />
        </div>
      )}
      {signedIn && error && (
        <div className="text-fg-2" role="alert">
          {t(isUnknown ? 'round.unknown' : 'common.loadFailed')}
          {isUnknown && <Lost />}
        </div>
      )}
      {signedIn && !error && !data && <SkeletonRows count={6} />}
      {data && <RoundProof round={data} />}
      {data && <ReceiptLinks roundId={roundId} />}
    </Dialog>
  );
}
