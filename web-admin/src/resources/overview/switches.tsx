import type { AdminData } from '@reelbook/contract/admin/routes';
import { Badge } from '@reelbook/web/components/badge';
import { Button } from '@reelbook/web/components/button';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { Loaded } from '../../components/loading.tsx';
import { Panel } from '../../components/panel.tsx';
import { Proposals } from '../../components/proposals.tsx';
import { paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';

type Switch = AdminData<'switches'>[number];

/** Functions that an operator can stop immediately, with their status, and proposals to resume them. */
export function Switches() {
  const here = useHere();
  const may = useMay();
  const query = useQuery({ ...read('switches'), refetchInterval: CALM_EVERY_MS });
  const [selected, setSelected] = useState<Switch | null>(null);
  return (
    <>
      <Proposals only={({ needs }) => needs.role === 'operator'} />
      <Panel title="Functions">
        <p className="mb-2 text-fg-2 text-sm">
          One operator can stop a function, immediately and on every gateway. Resuming takes two
          operators. Open rounds are still settled; withdrawals wait. To stop a single player,
          suspend the player:{' '}
          <Link to={here(paths.players)} className="text-brass underline">
            Players
          </Link>
        </p>
        <Loaded query={query}>
          {(switches) =>
            switches.map((one) => (
              <div
                key={one.switch}
                className="flex min-h-14 items-center justify-between gap-4 border-line border-b last:border-0"
              >
                <p>
                  {one.title}
                  <span className="block font-mono text-fg-3 text-xs">{one.switch}</span>
                </p>
                <span className="flex items-center gap-3">
                  <Badge tone={one.on ? 'good' : 'bad'}>{one.on ? 'active' : 'stopped'}</Badge>
                  {may('operator') && (
                    <Button size="small" onClick={() => setSelected(one)}>
                      {one.on ? 'Stop' : 'Resume'}
                    </Button>
                  )}
                </span>
              </div>
            ))
          }
        </Loaded>
      </Panel>
      {selected && <SwitchDialog one={selected} onClose={() => setSelected(null)} />}
    </>
  );
}

function SwitchDialog({ one, onClose }: { one: Switch; onClose(): void }) {
  const on = !one.on;
  return (
    <ActionDialog
      title={on ? `Resume: ${one.title}` : `Stop: ${one.title}`}
      action={on ? 'Resume' : 'Stop'}
      isDangerous={!on}
      act={{ call: 'setSwitch', body: { switch: one.switch, on } }}
      onClose={onClose}
    >
      {on && (
        <p className="mb-3 text-fg-2 text-sm">
          This does not take effect immediately: another operator must confirm it.
        </p>
      )}
    </ActionDialog>
  );
}
