import { useId } from 'react';
import { SettingName } from '../../components/setting-name.tsx';
import { unitOf } from '../../lib/amounts.ts';
import { assetOf, partName, placeOf, textOf, typedOf, valueText } from '../../lib/setting-texts.ts';
import type { Draft, Values } from './data.ts';

const VALUE_MAX = 200;

type Row = Values['values'][number];

/** Fields of all configuration values, by section. */
export function ValueFields(props: {
  values: readonly Row[];
  draft: Draft;
  isLocked: boolean;
  onChange(path: string, typed: string): void;
}) {
  const { values, draft, isLocked, onChange } = props;
  const parts = [...new Set(values.map(({ path }) => placeOf(path).part))];
  return parts.map((part) => (
    <fieldset key={part} className="config-part" disabled={isLocked}>
      <legend>{partName(part)}</legend>
      {values
        .filter(({ path }) => placeOf(path).part === part)
        .map(({ path, text }) => (
          <ValueField
            key={path}
            path={path}
            text={text}
            typed={draft[path] ?? typedOf(path, text)}
            onChange={(typed) => onChange(path, typed)}
          />
        ))}
    </fieldset>
  ));
}

interface Field {
  path: string;
  /** As in the ledger. */
  text: string;
  typed: string;
  onChange(typed: string): void;
}

function ValueField(field: Field) {
  const { path, text, typed } = field;
  const id = useId();
  const asset = assetOf(path);
  const isChanged = textOf(path, typed) !== text;
  return (
    <div className={`config-value ${isChanged ? 'config-changed' : ''}`}>
      <label htmlFor={id}>
        <SettingName path={path} />
        {isChanged && <span className="text-fg-3 text-xs">{valueText(path, text)} →</span>}
      </label>
      <span className="config-input">
        <Control id={id} {...field} />
        {asset && <span className="config-unit">{unitOf(asset)}</span>}
      </span>
    </div>
  );
}

function Control({ id, text, typed, onChange }: Field & { id: string }) {
  if (text !== 'true' && text !== 'false') {
    return (
      <input
        id={id}
        value={typed}
        maxLength={VALUE_MAX}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
    );
  }
  return (
    <select id={id} value={typed} onChange={(event) => onChange(event.target.value)}>
      <option value="true">yes</option>
      <option value="false">no</option>
    </select>
  );
}
