import type { AdminData } from '@reelbook/admin/answers';
import { views } from '@reelbook/games/views';
import type { Outcome } from '@reelbook/ledger/player/events';
import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { afterFailure } from '@reelbook/web/query-client';
import { Suspense, useEffect, useState } from 'react';
import { type Action, Actions } from '../../components/actions.tsx';
import { Amount, EvidenceButton, Id, Mono, PositionChip } from '../../components/chips.tsx';
import { CheckRow, factsOf, Loaded, Panel } from '../../components/panel.tsx';
import { LIVE_EVERY_MS, useRead } from '../../lib/queries.ts';
import { resultText } from '../../lib/round-result.ts';
import { runWorker, type Verdict } from '../../lib/verify/checks.ts';
import type { EventData } from './event-parts.tsx';

type Round = AdminData<'eventRound'>;

/** Returns the stake of an open round, by one operator or two. */
const voidRound = (round: string, wallet: string): Action => ({
  label: 'Void round',
  title: 'Void the round and return its stake',
  isDangerous: true,
  text: 'Above the daily limit for one operator, this creates a proposal that another operator must approve.',
  act: { call: 'voidRound', params: { wallet, round } },
});

/** A replay of the round with its game's view, marked as a replay, and recomputed in this browser. */
export function RoundPanel({ event }: { event: EventData }) {
  const { position, faults } = event;
  const wallet = event.player?.wallet ?? null;
  const query = useRead(
    'eventRound',
    { params: { position: String(position) } },
    {
      // An open round ends without an action on this page.
      refetchInterval: (query) =>
        query.state.data?.status === 'open' ? LIVE_EVERY_MS : afterFailure(query),
    },
  );
  return (
    <Panel title="Round" aside={query.data && <EvidenceButton of="round" id={query.data.round} />}>
      <Loaded query={query} rows={4}>
        {(round) => (
          <>
            <RoundFacts round={round} isFaulty={faults.length > 0} />
            {wallet !== null && round.status === 'open' && (
              <div className="mt-3">
                <Actions of={[voidRound(round.round, wallet)]} />
              </div>
            )}
          </>
        )}
      </Loaded>
    </Panel>
  );
}

/** `isFaulty`: the event failed its checks, and the round is read from it. */
function RoundFacts({ round, isFaulty }: { round: Round; isFaulty: boolean }) {
  const { recomputed } = round;
  return (
    <>
      {round.outcome !== null && <ReplayView round={round} />}
      <dl>
        {factsOf({
          Game: (
            <>
              {round.game} <span className="font-mono text-fg-3 text-xs">{round.rules}</span>
            </>
          ),
          Status: round.status,
          Stake: (
            <>
              <Amount amount={round.stake} /> <PositionChip position={round.bet_position} />
            </>
          ),
          Payout: round.payout && (
            <>
              <Amount amount={round.payout} />{' '}
              {round.settled_position !== null && (
                <PositionChip position={round.settled_position} />
              )}
            </>
          ),
          Result: round.status !== 'voided' && !isFaulty && resultText(round),
          'Would have paid': round.status === 'voided' && recomputed.payout && (
            <Amount amount={recomputed.payout} />
          ),
          Nonce: <Mono>{formatInteger(round.nonce)}</Mono>,
          'Client seed': <Id>{round.client_seed || '—'}</Id>,
          'Server seed hash': <Id>{round.server_seed_hash}</Id>,
          'Server seed': <Id>{round.server_seed ?? 'secret until revealed'}</Id>,
        })}
      </dl>
      {isFaulty ? (
        <CheckRow verdict={undefined} why="not checked.">
          Outcome and payout, recomputed in this browser
        </CheckRow>
      ) : (
        <Recomputed round={round} />
      )}
      {recomputed.by === 'sealed seed' && !isFaulty && (
        <CheckRow
          verdict={recomputed.result === 'differs' ? recomputed.faults.join('; ') : undefined}
          why="outcome and payout match."
        >
          Recomputed by the server from the secret seed:
        </CheckRow>
      )}
    </>
  );
}

function Recomputed({ round }: { round: Round }) {
  const [verdict, setVerdict] = useState<Verdict | 'busy'>('busy');
  useEffect(() => {
    const stop = new AbortController();
    runWorker({ kind: 'round', round }, stop.signal)
      .then((response) => response.kind === 'round' && setVerdict(response.verdict))
      .catch((error: unknown) => {
        if (!stop.signal.aborted)
          setVerdict(error instanceof Error ? error.message : String(error));
      });
    return () => stop.abort();
  }, [round]);
  const isVoided = round.status === 'voided';
  return (
    <CheckRow
      verdict={verdict}
      why={
        round.status === 'open'
          ? 'Not available yet: the round is open.'
          : 'Not available yet: the seed is secret.'
      }
    >
      {isVoided
        ? 'Payout without the void, recomputed in this browser.'
        : 'Outcome and payout, recomputed in this browser'}
    </CheckRow>
  );
}

const TICKS_PER_SECOND = 8;

/** The outcome; for timed games with a control for each tick. */
function ReplayView({ round }: { round: Round }) {
  const last = round.timed?.ticks ?? 1;
  const [tick, setTick] = useState(last);
  const [isPlaying, setPlaying] = useState(false);
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(
      () => setTick((now) => Math.min(last, now + 1)),
      1_000 / TICKS_PER_SECOND,
    );
    return () => clearInterval(timer);
  }, [isPlaying, last]);
  useEffect(() => {
    if (tick >= last) setPlaying(false);
  }, [tick, last]);
  const View = views[round.game];
  if (!View) return null;
  return (
    <div className="mb-3">
      <div className="relative mx-auto max-w-[300px] overflow-hidden rounded-md border border-line p-3 pt-10">
        <span className="absolute top-2 left-2 z-2 rounded-[6px] border border-brass bg-ink-0 px-2 py-px font-mono font-semibold text-brass text-xs/[normal] tracking-[0.08em]">
          REPLAY
        </span>
        <Suspense fallback={<div className="h-24" />}>
          <View
            outcome={round.outcome as Outcome}
            choice={round.choice}
            {...(round.timed ? { tick } : {})}
          />
        </Suspense>
      </div>
      {round.timed && (
        <div className="mx-auto mt-2 flex max-w-[300px] items-center gap-3">
          <Button
            size="small"
            onClick={() => {
              if (tick >= last) setTick(1);
              setPlaying(!isPlaying);
            }}
          >
            {isPlaying ? 'Pause' : 'Play'}
          </Button>
          <input
            type="range"
            className="min-w-0 flex-1 accent-brass"
            min={1}
            max={last}
            value={tick}
            aria-label="Tick"
            onChange={(event) => setTick(Number(event.target.value))}
          />
          <span className="font-mono text-fg-3 text-xs">
            {tick}/{last}
          </span>
        </div>
      )}
    </div>
  );
}
