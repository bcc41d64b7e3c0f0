import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { PERIODS, type Period, rangeOf } from '../lib/period.ts';
import { FilterSelect } from './filter-select.tsx';

/** The period of a list or a statement: a preset, or two dates. */
export function PeriodFields(props: { period: Period; onChange(changed: Partial<Period>): void }) {
  const { period, onChange } = props;
  const { t } = useTranslation();
  const isWrong = rangeOf(period, new Date()) === null;
  return (
    <>
      <FilterSelect
        label={t('period.label')}
        value={period.name}
        onChange={(name) => onChange({ name })}
        options={PERIODS.map((name) => [name, t(`period.names.${name}`)] as const)}
      />
      {period.name === 'custom' && (
        <>
          <DateField
            label={t('period.from')}
            value={period.from}
            onChange={(from) => onChange({ from })}
            isWrong={isWrong}
          />
          <DateField
            label={t('period.to')}
            value={period.to}
            onChange={(to) => onChange({ to })}
            isWrong={isWrong}
          />
        </>
      )}
      {isWrong && (
        <p role="alert" className="col-span-full text-coral text-xs">
          {t('period.wrong')}
        </p>
      )}
    </>
  );
}

function DateField(props: {
  label: string;
  value: string;
  onChange(value: string): void;
  isWrong: boolean;
}) {
  const { label, value, onChange, isWrong } = props;
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="text-fg-3 text-xs">
        {label}
      </label>
      <input
        id={id}
        type="date"
        value={value}
        aria-invalid={isWrong}
        onChange={(event) => onChange(event.target.value)}
        className={`mt-1 block h-11 w-full rounded-sm border bg-ink-2 px-2 text-fg text-sm ${
          isWrong ? 'border-coral' : 'border-line-strong'
        }`}
      />
    </div>
  );
}
