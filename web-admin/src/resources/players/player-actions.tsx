import { Button } from '@reelbook/web/components/button';
import { useState } from 'react';
import { Now } from '../../components/now.tsx';
import { Panel } from '../../components/panel.tsx';
import { useAt } from '../../lib/point-in-time.ts';
import { useMay } from '../../lib/roles.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { Adjustments } from './adjustments.tsx';
import type { PlayerData } from './data.ts';
import { NoteDialog, Notes } from './notes.tsx';
import { ExcludeDialog, LimitDialog, StatusDialog } from './status-dialogs.tsx';
import { isSuspended } from './suspension.ts';

const DIALOGS = {
  status: StatusDialog,
  adjust: AdjustDialog,
  limit: LimitDialog,
  exclude: ExcludeDialog,
  note: NoteDialog,
} as const;
type Name = keyof typeof DIALOGS;

/** Actions on a player, pending adjustments, and notes. */
export function PlayerActions({ player }: { player: PlayerData }) {
  const may = useMay();
  const [at] = useAt();
  const [selected, setSelected] = useState<Name | null>(null);
  const Selected = selected && DIALOGS[selected];
  const titles: Readonly<Record<Name, string>> = {
    status: isSuspended(player) ? 'Reinstate' : 'Suspend',
    adjust: 'Adjust balance',
    limit: 'Tighten limit',
    exclude: 'Exclude',
    note: 'Add note',
  };
  return (
    <>
      {may('operator') && (
        <Panel title="Actions">
          {at !== null && (
            <p className="mb-2 text-fg-2 text-sm">
              Actions need current data. Return to now first.
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            {(Object.keys(DIALOGS) as Name[]).map((name) => (
              <Button
                key={name}
                size="small"
                disabled={at !== null || player.stored_differs.length > 0}
                onClick={() => setSelected(name)}
              >
                {titles[name]}
              </Button>
            ))}
          </div>
        </Panel>
      )}
      <Now>
        <Adjustments wallet={player.wallet} />
        <Notes wallet={player.wallet} />
      </Now>
      {Selected && <Selected player={player} onClose={() => setSelected(null)} />}
    </>
  );
}
