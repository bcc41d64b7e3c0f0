import { shortAddress } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { ActDialog } from '../../components/act-dialog.tsx';
import { Actor, PositionChip } from '../../components/chips.tsx';
import { Panel } from '../../components/panel.tsx';
import { api } from '../../lib/api.ts';
import { read } from '../../lib/queries.ts';
import { useTexts } from '../../lib/texts.ts';
import { dateTimeText } from '../../lib/times.ts';
import type { ActProps } from './data.ts';

/** What operators noted for each other, newest first. */
export function Notes({ wallet }: { wallet: string }) {
  const { t } = useTexts();
  const { data } = useQuery(read('playerNotes', { params: { wallet } }));
  if (!data || data.length === 0) return null;
  return (
    <Panel title={t('acts.notes')}>
      {data.map(({ position, time, by, note }) => (
        <div key={position} className="border-line border-b py-2 text-sm last:border-0">
          <p>{note}</p>
          <p className="flex flex-wrap items-center gap-2 text-fg-3 text-xs">
            <PositionChip position={position} />
            <Actor actor={by} />
            <span className="font-mono">{dateTimeText(time)}</span>
          </p>
        </div>
      ))}
    </Panel>
  );
}

/** The note is what other acts call the reason. */
export function NoteDialog({ player, onClose }: ActProps) {
  const { t } = useTexts();
  const { wallet } = player;
  return (
    <ActDialog
      title={t('acts.note')}
      action={t('acts.note')}
      reasonLabel={t('acts.noteText')}
      preview={{ type: 'PlayerNoted', stream: `player-${shortAddress(wallet)}`, facts: [] }}
      onAct={({ reason, idempotencyKey }) =>
        api.call('notePlayer', { params: { wallet }, body: { note: reason }, idempotencyKey })
      }
      onClose={onClose}
    />
  );
}
