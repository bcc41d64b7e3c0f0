import type { AdminData } from '@reelbook/contract/admin/routes';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ActDialog } from '../../components/act-dialog.tsx';
import { Actor, Amount, PositionChip } from '../../components/chips.tsx';
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { playerPath } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';

type Waiting = AdminData<'adjustments'>[number];
/** Who proposed it withdraws it; anyone else refuses it. It is the same call. */
type Action = 'approve' | 'refuse' | 'withdraw';
interface Asked {
  readonly act: Action;
  readonly of: Waiting;
}

function PlayerOf({ wallet }: { wallet: string }) {
  const here = useHere();
  return (
    <Link to={here(playerPath(wallet))} className="font-mono text-xs">
      {shortAddress(wallet)}
    </Link>
  );
}

/** Adjustments and voids that one operator proposed and another must approve: of one player, or of all. */
export function Adjustments({ wallet }: { wallet?: string }) {
  const { t } = useTexts();
  const { data } = useQuery({ ...read('adjustments'), refetchInterval: CALM_EVERY_MS });
  const [asked, setAsked] = useState<Asked | null>(null);
  const waiting = data?.filter((one) => wallet === undefined || one.wallet === wallet) ?? [];
  if (waiting.length === 0) return null;
  return (
    <Panel title={t('proposals.title')}>
      {waiting.map((one) => (
        <One
          key={one.position}
          of={one}
          withPlayer={wallet === undefined}
          onAsk={(act) => setAsked({ act, of: one })}
        />
      ))}
      {asked && <AnswerDialog asked={asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function One(props: { of: Waiting; withPlayer: boolean; onAsk(act: Action): void }) {
  const { of, withPlayer, onAsk } = props;
  const { t } = useTexts();
  const may = useMay();
  const me = useStore(session)?.operator;
  const isMine = of.by === `operator:${me}`;
  return (
    <section className="border-line border-b py-2 text-sm last:border-0" data-testid="proposal">
      <p className="flex items-center justify-between gap-3">
        <span className="flex flex-wrap items-center gap-2">
          <span className="font-medium">{t(of.round ? 'acts.void' : 'acts.adjustment')}</span>
          <Amount amount={of.amount} signed />
          {withPlayer && <PlayerOf wallet={of.wallet} />}
        </span>
        <PositionChip position={of.position} />
      </p>
      {of.round && (
        <p className="wrap-anywhere font-mono text-fg-3 text-xs">
          {of.round.round} · {of.round.game}
        </p>
      )}
      <p className="wrap-anywhere text-fg-2">
        <Actor actor={of.by} />: {of.reason}
      </p>
      {may('operator') && (
        <p className="mt-2 flex gap-2">
          <Button size="small" look="primary" disabled={isMine} onClick={() => onAsk('approve')}>
            {t('desk.approve')}
          </Button>
          <Button size="small" onClick={() => onAsk(isMine ? 'withdraw' : 'refuse')}>
            {t(isMine ? 'proposals.withdraw' : 'acts.refuse')}
          </Button>
        </p>
      )}
    </section>
  );
}

function AnswerDialog({ asked, onClose }: { asked: Asked; onClose(): void }) {
  const { t } = useTexts();
  const { act, of } = asked;
  const { wallet, adjustment, round, amount } = of;
  const isApproved = act === 'approve';
  const opposite = {
    ...amount,
    minor: amount.minor.startsWith('-') ? amount.minor.slice(1) : `-${amount.minor}`,
  };
  const [approved, refused] = round
    ? (['BetVoided', 'VoidRefused'] as const)
    : (['BalanceAdjusted', 'AdjustmentRefused'] as const);
  const kind = round ? 'Void' : '';
  return (
    <ActDialog
      title={t(act === 'withdraw' ? 'proposals.withdrawTitle' : `acts.${act}${kind}Title`)}
      action={t(ACTIONS[act])}
      preview={{
        type: isApproved ? approved : refused,
        stream: `player-${shortAddress(wallet)}`,
        facts: round
          ? [
              [t('event.round'), round.round],
              [t('round.game'), round.game],
            ]
          : [[t('acts.adjustment'), adjustment]],
        postings: isApproved
          ? [
              ['house', <Amount key="house" amount={opposite} signed />],
              [`player:${shortAddress(wallet)}`, <Amount key="player" amount={amount} signed />],
            ]
          : [],
      }}
      onAct={({ reason, idempotencyKey }) => answer(asked, { body: { reason }, idempotencyKey })}
      onClose={onClose}
    />
  );
}

const ACTIONS = {
  approve: 'desk.approve',
  refuse: 'acts.refuse',
  withdraw: 'proposals.withdraw',
} as const;

async function answer(
  { act, of: { wallet, adjustment, round } }: Asked,
  o: { body: { reason: string }; idempotencyKey: string },
): Promise<unknown> {
  const isApproved = act === 'approve';
  if (round) {
    const params = { wallet, round: round.round };
    return api.call(isApproved ? 'voidRound' : 'refuseVoid', { params, ...o });
  }
  if (adjustment === null) throw new Error('an adjustment has an id');
  const params = { wallet, adjustment };
  return api.call(isApproved ? 'approveAdjustment' : 'refuseAdjustment', { params, ...o });
}
