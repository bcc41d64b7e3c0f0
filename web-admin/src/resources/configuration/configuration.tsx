import { Button } from '@reelbook/web/components/button';
import { whole } from '@reelbook/web/format';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Loaded } from '../../components/loading.tsx';
import { PageHead, Panel } from '../../components/panel.tsx';
import { decimalText, unitOf } from '../../lib/amounts.ts';
import { read } from '../../lib/queries.ts';
import { useMay } from '../../lib/roles.ts';
import { useTexts } from '../../lib/texts.ts';
import { useTitle } from '../../lib/use-title.ts';
import { ChangeDialog } from './change-dialog.tsx';
import type { Change, Draft, Values } from './data.ts';
import { ConfigurationHistory } from './history.tsx';
import { PreviewPanel } from './preview.tsx';

const VALUE_MAX = 200;

/** Everything that can be set, what a change would do, and who changed what. */
export function Configuration() {
  const { t } = useTexts();
  useTitle(t('nav.configuration'));
  const query = useQuery(read('configuration'));
  return (
    <>
      <PageHead title={t('nav.configuration')}>{t('config.lead')}</PageHead>
      <div className="grid gap-4">
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
  const [isAsking, setAsking] = useState(false);
  const changes = changesOf(values, draft);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_400px]">
      <Panel
        title={t('config.values')}
        aside={t('config.version', { n: whole(values.version) })}
        flush
      >
        {values.values.map(({ path, text, meaning }) => (
          <Value
            key={path}
            path={path}
            meaning={meaning}
            text={text}
            draft={draft[path]}
            isLocked={!may('admin')}
            onChange={(next) => setDraft({ ...draft, [path]: next })}
          />
        ))}
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
                <Button size="small" look="primary" onClick={() => setAsking(true)}>
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
      {isAsking && (
        <ChangeDialog values={values} changes={changes} onClose={() => setAsking(false)} />
      )}
    </div>
  );
}

function changesOf({ values }: Values, draft: Draft): Change[] {
  return values.flatMap(({ path, text }) => {
    const value = draft[path]?.trim();
    return value === undefined || value === text ? [] : [{ path, value }];
  });
}

/** Minor units in words; anything else says itself. */
function meaningOf(path: string, text: string): string {
  if (!path.endsWith('Minor') || !/^\d{1,19}$/.test(text.trim())) return text;
  const asset = path.endsWith('TokenMinor') ? 'token' : 'points';
  return `${decimalText(asset, BigInt(text.trim()))} ${unitOf(asset)}`;
}

function Value(props: {
  path: string;
  meaning: string;
  text: string;
  draft: string | undefined;
  isLocked: boolean;
  onChange(text: string): void;
}) {
  const { path, meaning, text, draft, isLocked, onChange } = props;
  const isChanged = draft !== undefined && draft.trim() !== text;
  return (
    <label className={`config-value ${isChanged ? 'config-changed' : ''}`}>
      <span className="min-w-0">
        <span className="block break-all font-mono text-xs">{path}</span>
        <span className="text-fg-3 text-xs">
          {isChanged ? `${meaning || text} → ${meaningOf(path, draft)}` : meaning}
        </span>
      </span>
      <input
        value={draft ?? text}
        disabled={isLocked}
        maxLength={VALUE_MAX}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  );
}
