import { Field } from '@reelbook/web/components/field';
import { Select } from '@reelbook/web/components/select';
import { useTranslation } from 'react-i18next';
import { PERIODS, type Period, rangeOf } from '../lib/period.ts';

/** The period of a list or a statement: a preset, or two dates. */
export function PeriodFields(props: { period: Period; onChange(changed: Partial<Period>): void }) {
  const { period, onChange } = props;
  const { t } = useTranslation();
  const isWrong = rangeOf(period, new Date()) === null;
  return (
    <>
      <Select
        isSmall
        label={t('period.label')}
        value={period.name}
        onChange={(name) => onChange({ name })}
        options={PERIODS.map((name) => [name, t(`period.names.${name}`)] as const)}
      />
      {period.name === 'custom' && (
        <>
          <Field
            type="date"
            label={t('period.from')}
            value={period.from}
            onChange={(from) => onChange({ from })}
          />
          <Field
            type="date"
            label={t('period.to')}
            value={period.to}
            onChange={(to) => onChange({ to })}
            error={isWrong ? t('period.wrong') : null}
          />
        </>
      )}
    </>
  );
}
