import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { CloseIcon } from '@reelbook/web/components/icons';
import { Skeleton } from '@reelbook/web/components/states';
import { formatInteger, multipleOf, shortHash } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { PositionChip } from '../../components/position-chip.tsx';
import { RevealButton } from '../../components/reveal-button.tsx';
import { rowKey } from '../../components/row-name.ts';
import { UnconfirmedNotice } from '../../components/unconfirmed-notice.tsx';
import { type CommittedSeeds, checkOpenRound, proveSlotRound } from '../../lib/prove-slot-round.ts';
import { seeds } from '../../lib/seeds.ts';
import { CountUp } from './celebration.tsx';
import { type ShownRound, slotHistory } from './slot-api.ts';
import type { SpinState } from './use-spin.ts';
import { JACKPOT } from './win-size.ts';

/** The line under the reels: instruction, progress, result or error. */
export function ResultLine(props: {
  state: SpinState;
  onDiscard(): Promise<void>;
  /** Plays a bet again that was not placed; null if it is not possible now. */
  onAgain: ((bet: number) => void) | null;
}) {
  const { state, onDiscard, onAgain } = props;
  const { t } = useTranslation();
  return (
    <div
      className="result-line flex min-h-[68px] items-center justify-between gap-3 pt-3 pb-2 font-semibold text-[17px] tracking-[-0.015em] md:min-h-20 md:text-[22px]"
      data-phase={state.phase}
    >
      {state.phase === 'idle' && <p className="text-fg-2">{t('slot.ready')}</p>}
      {(state.phase === 'spinning' || state.phase === 'landing') && (
        <Turning isWaiting={state.phase === 'spinning'} />
      )}
      {state.phase === 'settled' && <Settled round={state.round} />}
      {state.phase === 'failed' && (
        <p className="text-base text-coral" role="alert">
          {t(state.fault.key, { ...state.fault })}
        </p>
      )}
      {state.phase === 'unconfirmed' && (
        <UnconfirmedNotice
          kind="bet"
          amount={formatInteger(state.pending.bet)}
          atMs={state.pending.atMs}
          checked={state.checked}
          onDiscard={onDiscard}
        />
      )}
      {state.phase === 'discarded' && (
        <>
          <p className="text-base text-fg-2" role="status">
            {t('unconfirmed.discarded', { bet: formatInteger(state.pending.bet) })}
          </p>
          {onAgain && (
            <Button size="small" onClick={() => onAgain(state.pending.bet)}>
              {t('unconfirmed.again', { bet: formatInteger(state.pending.bet) })}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** Then the page names what it waits for. */
const SLOW_MS = 3_000;

function Turning({ isWaiting }: { isWaiting: boolean }) {
  const { t } = useTranslation();
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), SLOW_MS);
    return () => clearTimeout(timer);
  }, []);
  return <p className="text-fg-2">{t(isSlow && isWaiting ? 'slot.slow' : 'slot.turning')}</p>;
}

function Settled({ round }: { round: ShownRound }) {
  const { t } = useTranslation();
  const { win_amount: win, bet_amount: bet, row } = round;
  if (win <= 0) return <p>{t('slot.tryAgain')}</p>;
  const isJackpot = row === JACKPOT;
  return (
    <>
      <p className={isJackpot ? 'text-brass' : ''}>
        {t(isJackpot ? 'slot.jackpot' : 'slot.win', { row: t(rowKey(row)) })}{' '}
        <CountUp from={bet} to={win} />
      </p>
      <span className="multiple flex-none rounded-full border border-line bg-ink-2 px-2.5 py-[3px] font-medium font-mono text-fg-2 text-xs tracking-normal">
        {multipleOf(win, bet)} × {bet}
      </span>
    </>
  );
}

/**
 * Calls `onEnd` once after `ms`, not counting pauses, so that reading and hovering extend the time.
 * @returns the callbacks that start and end a pause.
 */
function useCountdown(ms: number, onEnd: () => void): (paused: boolean) => void {
  const [paused, setPaused] = useState(false);
  const left = useRef(ms);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (paused) return;
    const since = performance.now();
    const timer = setTimeout(() => end.current(), Math.max(0, left.current));
    return () => {
      clearTimeout(timer);
      left.current -= performance.now() - since;
    };
  }, [paused]);
  return setPaused;
}

const WIN_MS = 5_000;
const NO_WIN_MS = 2_500;

/**
 * The result beneath the reels, which stay visible. It closes automatically, unless it is hovered or focused, and never takes the focus: SPIN
 * stays available, and spinning again closes it too.
 */
export function ResultModal({ round, onClose }: { round: ShownRound; onClose(): void }) {
  const { t } = useTranslation();
  const { win_amount: win, bet_amount: bet, row } = round;
  const isWin = win > 0;
  const isJackpot = row === JACKPOT;
  const pause = useCountdown(isWin ? WIN_MS : NO_WIN_MS, onClose);
  useEscape(onClose);
  const title = t(isJackpot ? 'result.jackpot' : isWin ? 'result.win' : 'result.none');
  return (
    <div
      role="dialog"
      aria-label={title}
      className="result-modal"
      data-kind={isJackpot ? 'jackpot' : isWin ? 'win' : 'none'}
      onPointerEnter={() => pause(true)}
      onPointerLeave={() => pause(false)}
      onFocus={() => pause(true)}
      onBlur={() => pause(false)}
    >
      <p className="result-title min-w-0 flex-1 font-bold text-[17px] leading-[1.2] tracking-[-0.01em]">
        {title}{' '}
        {isWin && (
          <>
            <CountUp from={bet} to={win} />
            <span className="result-detail block font-medium text-[12px] text-fg-2 tracking-normal">
              {t(rowKey(row))} · {multipleOf(win, bet)} × {bet}
            </span>
          </>
        )}
      </p>
      <Button size="small" onClick={onClose}>
        {t(isWin ? 'result.continue' : 'result.again')}
      </Button>
      <button
        type="button"
        // The other button closes too.
        className="grid size-11 place-items-center rounded-sm text-fg-2 max-[480px]:hidden"
        aria-label={t('common.close')}
        onClick={onClose}
      >
        <CloseIcon />
      </button>
    </div>
  );
}

function useEscape(onEscape: () => void): void {
  const act = useRef(onEscape);
  act.current = onEscape;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') act.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}

const SHOWN = 8;

const RECENT =
  'min-w-[34px] flex-none rounded-full py-px text-center font-medium text-[12px] text-fg-3 leading-[20px] md:w-full';

/**
 * The multiples of the last rounds, newest first, and places for the next: above the reels on a phone, next to them elsewhere.
 * What does not fit in one line, or is higher than the reels, is not shown. `hidden`: the round whose reels still turn.
 */
export function RecentResults({ hidden }: { hidden: string | null }) {
  const { t } = useTranslation();
  const { data } = useQuery(slotHistory);
  const history = data ?? [];
  const shown = history.filter(({ round_id: id }) => id !== hidden).slice(0, SHOWN);
  return (
    <ol
      className="recent-results order-[-1] flex h-[22px] flex-wrap gap-1.5 overflow-hidden md:order-0 md:h-0 md:min-h-full md:w-[46px] md:flex-col"
      aria-label={t('slot.recent')}
    >
      {data?.length === 0 && (
        <li
          className={`${RECENT} bg-ink-2 px-2.5 font-sans md:hidden [[data-closed=true]_&]:hidden`}
        >
          {t('slot.recentNone')}
        </li>
      )}
      {shown.map(({ round_id: id, row, bet_amount: bet, win_amount: win }) => (
        <li
          key={id}
          className={`${RECENT} bg-ink-2 px-1.5 font-mono data-[wins=true]:text-mint`}
          data-wins={win > 0}
          title={t(rowKey(row))}
        >
          {win > 0 ? `${multipleOf(win, bet)}×` : '–'}
        </li>
      ))}
      {Array.from({ length: SHOWN - shown.length }, (_, place) => (
        <li
          key={place}
          className={`recent-place ${RECENT} h-[22px] border border-line border-dashed max-md:hidden`}
          aria-hidden="true"
        />
      ))}
    </ol>
  );
}

const PROOF_LINE =
  'proof-line mt-5 grid min-h-[124px] grid-cols-[1fr_auto] content-start items-center gap-x-4 gap-y-2 border-line border-t border-dashed pt-3.5 md:min-h-[84px]';
const PROOF_VERDICT =
  'col-span-full flex min-h-8 flex-wrap items-center gap-x-4 gap-y-1 md:col-[1]';
const PROOF_FACTS = 'row-[2] text-fg-2 text-sm md:col-span-full';

/** What this browser has checked of the current round, and a link to the full proof. */
export function ProofLine({
  round,
  committed,
}: {
  round: ShownRound | undefined;
  committed: CommittedSeeds | null;
}) {
  const { t } = useTranslation();
  if (!round) return <Commitment />;
  const { commitment, nonce } = checkOpenRound(round, committed);
  return (
    <div className={PROOF_LINE}>
      <div className={PROOF_VERDICT}>
        <Verdict round={round} committed={committed} />
      </div>
      <PositionChip position={round.position} roundId={round.round_id} />
      <p className={PROOF_FACTS}>
        {t('proof.round', { nonce: round.nonce })}{' '}
        <span className="whitespace-nowrap font-mono text-xs">{round.rules}</span>
        {t('proof.seed')}{' '}
        <span className="whitespace-nowrap font-mono text-xs">
          {shortHash(round.server_seed_hash)}
        </span>
        {commitment && nonce && t('proof.committed')}
      </p>
    </div>
  );
}

/** Before the result: the commitment of the server, for comparison afterwards. */
function Commitment() {
  const { t } = useTranslation();
  const { data } = useQuery(seeds);
  return (
    <div className={PROOF_LINE}>
      <p className={`text-fg-2 text-sm ${PROOF_VERDICT}`}>{t('proof.commitment')}</p>
      <p className={PROOF_FACTS}>
        {data ? (
          <>
            {t('proof.committedSeed')}{' '}
            <span className="whitespace-nowrap font-mono text-xs">
              {shortHash(data.active.server_seed_hash)}
            </span>
            {t('proof.committedNonce', { nonce: data.active.nonce })}
          </>
        ) : (
          <Skeleton className="h-4 w-56" />
        )}
      </p>
    </div>
  );
}

function Verdict({ round, committed }: { round: ShownRound; committed: CommittedSeeds | null }) {
  const { t } = useTranslation();
  const { data } = useQuery(seeds);
  const revealed = data?.revealed.find((pair) => pair.server_seed_hash === round.server_seed_hash);
  const serverSeed = revealed?.server_seed;
  const isProven = useMemo(
    () => (serverSeed === undefined ? null : proveSlotRound(round, serverSeed).ok),
    [round, serverSeed],
  );
  if (isProven !== null) {
    return (
      <Badge tone={isProven ? 'good' : 'bad'} tick={isProven}>
        {t(isProven ? 'proof.verified' : 'proof.differs')}
      </Badge>
    );
  }
  const { paytable, commitment, clientSeed, nonce } = checkOpenRound(round, committed);
  if (!paytable || commitment === false || clientSeed === false || nonce === false) {
    return <Badge tone="bad">{t('proof.differs')}</Badge>;
  }
  return (
    <>
      <Badge>{t('proof.open')}</Badge>
      <RevealButton />
    </>
  );
}
