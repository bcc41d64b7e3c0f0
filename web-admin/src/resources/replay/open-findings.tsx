import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { useStore } from '@reelbook/web/store';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Actor, PlayerLink, PositionChip } from '../../components/chips.tsx';
import { Panel } from '../../components/panel.tsx';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { session } from '../../lib/session-store.ts';

type Finding = AdminData<'findings'>[number];

const PLAYER = 'player:';
const SUBJECTS: Readonly<Record<string, string>> = {
  ledger: 'The ledger: no automatic payments',
  treasury: 'The treasury: no automatic payments',
};

/** Findings that hold automatic payments until two operators accept them. Renders nothing if there are none. */
export function OpenFindings() {
  const { data } = useQuery({ ...read('findings'), refetchInterval: CALM_EVERY_MS });
  const [selected, setSelected] = useState<string | null>(null);
  if (!data || data.length === 0) return null;
  return (
    <Panel title="Open findings">
      <p className="mb-2 text-fg-2 text-sm">
        While a finding is open, its subject is not paid automatically. Two operators close it.
      </p>
      <ol className="grid gap-2">
        {data.map((one) => (
          <li key={one.finding} data-testid="open-finding">
            <OpenFinding finding={one} onAccept={() => setSelected(one.finding)} />
          </li>
        ))}
      </ol>
      {selected !== null && (
        <ActionDialog
          title="Accept a finding as explained or repaired"
          action="Accept"
          act={{ call: 'acceptFinding', params: { finding: selected } }}
          onClose={() => setSelected(null)}
        />
      )}
    </Panel>
  );
}

function OpenFinding({ finding, onAccept }: { finding: Finding; onAccept(): void }) {
  const may = useMay();
  const me = useStore(session)?.operator;
  const { subject, message, position, recorded_in: recordedIn, proposed_by: by } = finding;
  return (
    <div className="min-w-0 wrap-anywhere rounded-sm border border-coral px-3 py-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {subject.startsWith(PLAYER) ? (
          <PlayerLink wallet={subject.slice(PLAYER.length)} />
        ) : (
          <Badge tone="bad">{SUBJECTS[subject] ?? subject}</Badge>
        )}
        <PositionChip position={position ?? recordedIn} />
      </p>
      <p>{message}</p>
      {by !== null && (
        <p className="mt-1 text-fg-2">
          Accepted by one operator, another one must agree: <Actor actor={by} />
        </p>
      )}
      {may('operator') && (
        <Button size="small" disabled={by === `operator:${me}`} onClick={onAccept}>
          Accept
        </Button>
      )}
    </div>
  );
}
