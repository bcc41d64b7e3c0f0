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
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { ChangeDialog } from './change-dialog.tsx';
import type { Change, Draft, Values } from './data.ts';
import { ConfigurationHistory } from './history.tsx';
import { Operators } from './operators.tsx';
import { PreviewPanel } from './preview.tsx';
import { ValueFields } from './value-fields.tsx';

/** Operators with their roles, configuration values, a preview of changes, and the history of changes. */
export function Configuration() {
  const { t } = useTexts();
  useTitle(t('nav.configuration'));
  const may = useMay();
  const query = useQuery(read('configuration'));
  return (
    <>
      <PageHead title={t('nav.configuration')}>{t('config.lead')}</PageHead>
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
  const { t } = useTexts();
  const may = useMay();
  const [draft, setDraft] = useState<Draft>({});
  const [isOpen, setOpen] = useState(false);
  const changes = changesOf(values, draft);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
      <Panel
        title={t('config.values')}
        aside={t('event.version', { n: formatInteger(values.version) })}
        flush
      >
        <ValueFields
          values={values.values}
          draft={draft}
          isLocked={!may('admin')}
          onChange={(path, typed) => setDraft({ ...draft, [path]: typed })}
        />
      </Panel>
      <div className="config-preview">
        <Panel
          title={t('config.preview')}
          aside={
            changes.length > 0 && (
              <>
                <Button size="small" onClick={() => setDraft({})}>
                  {t('config.reset')}
                </Button>
                <Button size="small" look="primary" onClick={() => setOpen(true)}>
                  {t('config.change')}
                </Button>
              </>
            )
          }
        >
          {changes.length === 0 ? (
            <p className="text-fg-3 text-sm">
              {t(may('admin') ? 'config.nothingYet' : 'config.readOnly')}
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
