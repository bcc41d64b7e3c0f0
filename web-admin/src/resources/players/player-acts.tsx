import { Button } from '@reelbook/web/components/button';
import { useState } from 'react';
import { Panel } from '../../components/panel.tsx';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { AdjustDialog } from './adjust-dialog.tsx';
import { Adjustments } from './adjustments.tsx';
import type { PlayerData } from './data.ts';
import { NoteDialog, Notes } from './notes.tsx';
import { isSuspended } from './standing.ts';
import { ExcludeDialog, LimitDialog, StatusDialog } from './status-dialogs.tsx';

const DIALOGS = {
  standing: StatusDialog,
  adjust: AdjustDialog,
  limit: LimitDialog,
  exclude: ExcludeDialog,
  note: NoteDialog,
} as const;
type Name = keyof typeof DIALOGS;

/** What may be done with a player, what waits for a second operator, and what operators noted. */
export function PlayerActions({ player }: { player: PlayerData }) {
  const { t } = useTexts();
  const may = useMay();
  const [asked, setAsked] = useState<Name | null>(null);
  const Asked = asked && DIALOGS[asked];
  const titles: Readonly<Record<Name, string>> = {
    standing: t(isSuspended(player) ? 'acts.reinstate' : 'acts.suspend'),
    adjust: t('acts.adjust'),
    limit: t('acts.limit'),
    exclude: t('acts.exclude'),
    note: t('acts.note'),
  };
  return (
    <>
      {may('operator') && (
        <Panel title={t('acts.title')}>
          <div className="flex flex-wrap gap-2">
            {(Object.keys(DIALOGS) as Name[]).map((name) => (
              <Button key={name} size="small" onClick={() => setAsked(name)}>
                {titles[name]}
              </Button>
            ))}
          </div>
        </Panel>
      )}
      <Adjustments wallet={player.wallet} />
      <Notes wallet={player.wallet} />
      {Asked && <Asked player={player} onClose={() => setAsked(null)} />}
    </>
  );
}
