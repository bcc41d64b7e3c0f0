import { useQuery } from '@tanstack/react-query';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Actor, PositionChip } from '../../components/chips.tsx';
import { Panel } from '../../components/panel.tsx';
import { read } from '../../lib/queries.ts';
import { dateTimeText } from '../../lib/times.ts';
import type { DialogProps } from './data.ts';

/** Notes of operators, newest first. */
export function Notes({ wallet }: { wallet: string }) {
  const { data } = useQuery(read('playerNotes', { params: { wallet } }));
  if (!data || data.length === 0) return null;
  return (
    <Panel title="Notes">
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

/** Uses the reason field for the note. */
export function NoteDialog({ player, onClose }: DialogProps) {
  const { wallet } = player;
  return (
    <ActionDialog
      title="Add note"
      action="Add note"
      reasonLabel="Note for other operators, without personal data"
      act={{ call: 'notePlayer', params: { wallet } }}
      onClose={onClose}
    />
  );
}
