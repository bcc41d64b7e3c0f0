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
import { Sentence } from '../../components/sentence.tsx';
import { paths } from '../../lib/paths.ts';
import { useHere } from '../../lib/point-in-time.ts';
import { CALM_EVERY_MS, read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';

type Switch = AdminData<'switches'>[number];

/** Functions that an operator can stop immediately, with their status, and proposals to resume them. */
export function Switches() {
  const { t } = useTexts();
  const here = useHere();
  const may = useMay();
  const query = useQuery({ ...read('switches'), refetchInterval: CALM_EVERY_MS });
  const [selected, setSelected] = useState<Switch | null>(null);
  return (
    <>
      <Proposals only={({ needs }) => needs.role === 'operator'} />
      <Panel title={t('switches.heading')}>
        <p className="mb-2 text-fg-2 text-sm">
          {t('switches.lead')} {t('switches.onePlayer')}{' '}
          <Link to={here(paths.players)} className="text-brass underline">
            {t('nav.players')}
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
                  <Sentence of={`switches.title.${one.switch}`} facts={{}} text={one.title} />
                  <span className="block font-mono text-fg-3 text-xs">{one.switch}</span>
                </p>
                <span className="flex items-center gap-3">
                  <Badge tone={one.on ? 'good' : 'bad'}>
                    {t(one.on ? 'switches.on' : 'switches.off')}
                  </Badge>
                  {may('operator') && (
                    <Button size="small" onClick={() => setSelected(one)}>
                      {t(one.on ? 'job.stop' : 'switches.start')}
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
  const { t } = useTexts();
  const on = !one.on;
  return (
    <ActionDialog
      title={t(on ? 'switches.startTitle' : 'switches.stopTitle', { title: one.title })}
      action={t(on ? 'switches.start' : 'job.stop')}
      isDangerous={!on}
      act={{ call: 'setSwitch', body: { switch: one.switch, on } }}
      onClose={onClose}
    >
      {on && (
        <p className="mb-3 text-fg-2 text-sm">
          {t('proposals.needs')} {t('proposals.two')}
        </p>
      )}
    </ActionDialog>
  );
}
