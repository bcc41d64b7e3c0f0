import type { AdminData } from '@reelbook/contract/admin/client';
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
import { useHere } from '../../lib/moment.ts';
import { playerPath } from '../../lib/paths.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';
import { useTexts } from '../../lib/texts.ts';

type Adjustment = AdminData<'adjustments'>[number];
interface Asked {
  readonly act: 'approve' | 'refuse';
  readonly of: Adjustment;
}

function PlayerOf({ wallet }: { wallet: string }) {
  const here = useHere();
  return (
    <Link to={here(playerPath(wallet))} className="font-mono text-xs">
      {shortAddress(wallet)}
    </Link>
  );
}

/** What one operator proposed and another must approve: of one player, or of all. */
export function Adjustments({ wallet }: { wallet?: string }) {
  const { t } = useTexts();
  const may = useMay();
  const me = useStore(session)?.operator;
  const { data } = useQuery({ ...read('adjustments'), refetchInterval: CALM_EVERY_MS });
  const [asked, setAsked] = useState<Asked | null>(null);
  const waiting = data?.filter((one) => wallet === undefined || one.wallet === wallet) ?? [];
  if (waiting.length === 0) return null;
  return (
    <Panel title={t('acts.fourEyes')}>
      {waiting.map((one) => (
        <div key={one.adjustment} className="border-line border-b py-2 text-sm last:border-0">
          <p className="flex items-center justify-between gap-3">
            <span className="flex flex-wrap items-center gap-2">
              <Amount amount={one.amount} signed />
              {wallet === undefined && <PlayerOf wallet={one.wallet} />}
            </span>
            <PositionChip position={one.position} />
          </p>
          <p className="text-fg-2">
            <Actor actor={one.by} />: {one.reason}
          </p>
          {may('operator') && (
            <p className="mt-2 flex gap-2">
              <Button
                size="small"
                look="primary"
                disabled={one.by === `operator:${me}`}
                onClick={() => setAsked({ act: 'approve', of: one })}
              >
                {t('desk.approve')}
              </Button>
              <Button size="small" onClick={() => setAsked({ act: 'refuse', of: one })}>
                {t('acts.refuse')}
              </Button>
            </p>
          )}
        </div>
      ))}
      {asked && <AnswerDialog asked={asked} onClose={() => setAsked(null)} />}
    </Panel>
  );
}

function AnswerDialog({ asked, onClose }: { asked: Asked; onClose(): void }) {
  const { t } = useTexts();
  const { act, of } = asked;
  const { wallet, adjustment, amount } = of;
  const isApproved = act === 'approve';
  const opposite = {
    ...amount,
    minor: amount.minor.startsWith('-') ? amount.minor.slice(1) : `-${amount.minor}`,
  };
  return (
    <ActDialog
      title={t(isApproved ? 'acts.approveTitle' : 'acts.refuseTitle')}
      action={t(isApproved ? 'desk.approve' : 'acts.refuse')}
      preview={{
        type: isApproved ? 'BalanceAdjusted' : 'AdjustmentRefused',
        stream: `player-${shortAddress(wallet)}`,
        facts: [[t('acts.adjustment'), adjustment]],
        postings: isApproved
          ? [
              ['house', <Amount key="house" amount={opposite} signed />],
              [`player:${shortAddress(wallet)}`, <Amount key="player" amount={amount} signed />],
            ]
          : [],
      }}
      onAct={({ reason, idempotencyKey }) =>
        api.call(isApproved ? 'approveAdjustment' : 'refuseAdjustment', {
          params: { wallet, adjustment },
          body: { reason },
          idempotencyKey,
        })
      }
      onClose={onClose}
    />
  );
}
