import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../components/loading.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { Proposals } from '../../components/proposals.tsx';
import { read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { textOf } from '../../lib/setting-texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { ChangeDialog } from './change-dialog.tsx';
import type { Change, Draft, Values } from './data.ts';
import { ConfigurationHistory } from './history.tsx';
import { Operators } from './operators.tsx';
import { PreviewPanel } from './preview.tsx';
import { ValueFields } from './value-fields.tsx';

/** Operators with their roles, configuration values, a preview of changes, and the history of changes. */
export function Configuration() {
  useTitle('Configuration');
  const may = useMay();
  const query = useQuery(read('configuration'));
  return (
    <>
      <PageHead title="Configuration">
        Every change is recorded as an event. Tighter values take effect immediately. All other
        changes take two admins and a waiting period.
      </PageHead>
      <div className="grid gap-4">
        <Proposals />
        {may('admin') && <Operators />}
        <Loaded query={query} rows={14}>
          {(values) => <Editor key={values.version} values={values} />}
        </Loaded>
        <ConfigurationHistory />
      </div>
    </>
  );
}

function Editor({ values }: { values: Values }) {
  const may = useMay();
  const [draft, setDraft] = useState<Draft>({});
  const [isOpen, setOpen] = useState(false);
  const changes = changesOf(values, draft);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
      <Panel title="Current values" aside={`version ${formatInteger(values.version)}`} flush>
        <ValueFields
          values={values.values}
          draft={draft}
          isLocked={!may('admin')}
          onChange={(path, typed) => setDraft({ ...draft, [path]: typed })}
        />
      </Panel>
      <div className="config-preview">
        <Panel
          title="Preview"
          aside={
            changes.length > 0 && (
              <>
                <Button size="small" onClick={() => setDraft({})}>
                  Reset
                </Button>
                <Button size="small" look="primary" onClick={() => setOpen(true)}>
                  Change configuration
                </Button>
              </>
            )
          }
        >
          {changes.length === 0 ? (
            <p className="text-fg-3 text-sm">
              {may('admin')
                ? 'Change a value to preview its effect.'
                : 'Only an admin can change values.'}
            </p>
          ) : (
            <PreviewPanel changes={changes} />
          )}
        </Panel>
      </div>
      {isOpen && <ChangeDialog values={values} changes={changes} onClose={() => setOpen(false)} />}
    </div>
  );
}

function changesOf({ values }: Values, draft: Draft): Change[] {
  return values.flatMap(({ path, text }) => {
    const typed = draft[path];
    const value = typed === undefined ? text : textOf(path, typed);
    return value === text ? [] : [{ path, value }];
  });
}
