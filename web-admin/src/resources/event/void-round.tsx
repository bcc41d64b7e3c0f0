import type { AdminData } from '@reelbook/contract/admin/client';
import { Button } from '@reelbook/web/components/button';
import { shortAddress } from '@reelbook/web/format';
import { useState } from 'react';
import { ActDialog } from '../../components/act-dialog.tsx';
import { Amount } from '../../components/chips.tsx';
import { api } from '../../lib/api.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';

/** An open round that nobody can end: its stake is given back. */
export function VoidRound({ round, wallet }: { round: AdminData<'eventRound'>; wallet: string }) {
  const { t } = useTexts();
  const may = useMay();
  const [asks, setAsks] = useState(false);
  const { round: id, game, stake } = round;
  if (round.status !== 'open' || !may('operator')) return null;
  return (
    <div className="mt-3">
      <Button size="small" onClick={() => setAsks(true)}>
        {t('round.void')}
      </Button>
      {asks && (
        <ActDialog
          title={t('round.voidTitle')}
          action={t('round.void')}
          isDangerous
          preview={{
            type: 'BetVoided',
            stream: `player-${shortAddress(wallet)}`,
            facts: [
              [t('round.title'), id],
              [t('round.game'), game],
            ],
            postings: [
              [
                'house',
                <Amount key="out" amount={{ ...stake, minor: `-${stake.minor}` }} signed />,
              ],
              [`player:${shortAddress(wallet)}`, <Amount key="in" amount={stake} signed />],
            ],
          }}
          onAct={({ reason, idempotencyKey }) =>
            api.call('voidRound', {
              params: { wallet, round: id },
              body: { reason },
              idempotencyKey,
            })
          }
          onClose={() => setAsks(false)}
        />
      )}
    </div>
  );
}
