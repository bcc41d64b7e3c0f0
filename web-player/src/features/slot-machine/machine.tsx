import type { SlotConfig } from '@reelbook/contract/schemas/slot';
import type { Reels } from '@reelbook/games/slot-machine/paytable';
import { winningReels } from '@reelbook/games/slot-machine/rules';
import { SlotReels } from '@reelbook/games/slot-machine/view';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '../../components/button.tsx';
import { FairnessIcon } from '../../components/icons.tsx';
import { rowKey, symbolKey } from '../../components/row-name.ts';
import { balances } from '../../lib/balances-store.ts';
import { openConnectDialog } from '../../lib/connect-dialog.ts';
import { points } from '../../lib/format.ts';
import { paths } from '../../lib/paths.ts';
import { seeds } from '../../lib/seeds.ts';
import { useStore } from '../../lib/store.ts';
import { isReels } from '../../lib/verify.ts';
import { BetControls } from './bet-controls.tsx';
import { ProofLine } from './proof-line.tsx';
import { ResultLine } from './result-line.tsx';
import { type ShownRound, slotHistory } from './slot-api.ts';
import { useBet } from './use-bet.ts';
import { type SpinState, useSpin } from './use-spin.ts';

/** Shown before anything was played; the specification's 1,1,1 would be the top award. */
const FIRST_REELS: Reels = [1, 2, 3];
const NONE_WIN = [false, false, false] as const;

/** The machine of a signed-in player. */
export function Machine({ wallet, config }: { wallet: string; config: SlotConfig | undefined }) {
  const { state, spin, landed } = useSpin(wallet, config);
  const { data: history } = useQuery(slotHistory);
  useQuery(seeds);
  const held = useStore(balances)?.points ?? null;
  const bet = useBet(config, held);
  const isBusy = state.phase === 'spinning' || state.phase === 'landing';
  const round = 'round' in state ? state.round : history?.[0];
  return (
    <Cabinet
      symbols={round?.symbols[0] ?? FIRST_REELS}
      turning={state.phase === 'spinning'}
      winning={'round' in state ? winsOf(state.round) : NONE_WIN}
      onLanded={landed}
    >
      <ResultLine state={state} />
      <BetControls bet={bet} isBusy={isBusy} held={held} config={config} onSpin={spin} />
      <ProofLine
        round={isBusy ? undefined : round}
        promised={state.phase === 'settled' ? state.promised : null}
      />
      <Spoken state={state} />
    </Cabinet>
  );
}

/** What someone who is not signed in sees: the same machine, and the way in. */
export function VisitorMachine() {
  const { t } = useTranslation();
  return (
    <Cabinet symbols={FIRST_REELS} turning={false} winning={NONE_WIN} onLanded={() => undefined}>
      <div className="flex flex-wrap items-center justify-between gap-4 pt-5 pb-1">
        <p className="text-fg-2">{t('slot.visitor')}</p>
        <Button look="primary" className="max-sm:w-full" onClick={openConnectDialog}>
          {t('connect.button')}
        </Button>
      </div>
    </Cabinet>
  );
}

function Cabinet(props: {
  symbols: readonly number[];
  turning: boolean;
  winning: readonly boolean[];
  onLanded(): void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const symbols = isReels(props.symbols) ? props.symbols : FIRST_REELS;
  const names = symbols.map((id) => t(symbolKey(id))).join(', ');
  return (
    <section className="cabinet" aria-labelledby="slot-title">
      <header className="mb-3 flex items-start justify-between gap-3 md:mb-5">
        <div>
          <p className="font-semibold text-fg-3 text-xs uppercase tracking-[0.08em]">
            {t('slot.name')}
          </p>
          <h1 id="slot-title" className="mt-0.5 text-xl md:text-2xl">
            {t('slot.title')}
          </h1>
        </div>
        <Link to={paths.fairness} className="fair-link">
          <FairnessIcon />
          {t('slot.fair')}
        </Link>
      </header>
      <div className="reels-frame">
        <SlotReels
          symbols={symbols}
          spinning={props.turning}
          winningReels={props.winning}
          label={t(props.turning ? 'slot.reelsTurning' : 'slot.reels', { names })}
          onSettled={props.onLanded}
        />
      </div>
      {props.children}
    </section>
  );
}

/** What a screen reader says when a round is over. */
function Spoken({ state }: { state: SpinState }) {
  const { t } = useTranslation();
  const held = useStore(balances);
  const balance = held ? points(held.points) : '';
  let text = '';
  if (state.phase === 'settled') {
    const win = points(state.round.win_amount);
    text =
      state.round.win_amount > 0
        ? t('slot.spoken.win', { row: t(rowKey(state.round.row)), win, balance })
        : t('slot.spoken.none', { balance });
  }
  return (
    <p className="sr-only" role="status" aria-live="polite">
      {text}
    </p>
  );
}

function winsOf({ symbols }: ShownRound): readonly boolean[] {
  const reels = symbols[0];
  return reels && isReels(reels) ? winningReels(reels) : NONE_WIN;
}
