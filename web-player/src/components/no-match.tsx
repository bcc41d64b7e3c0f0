import { Button } from '@reelbook/web/components/button';
import { Empty } from '@reelbook/web/components/states';
import { useTranslation } from 'react-i18next';

/** A filtered list without an entry, with the way back to the entire list. */
export function NoMatch({ onClear }: { onClear(): void }) {
  const { t } = useTranslation();
  return (
    <Empty action={<Button onClick={onClear}>{t('filters.clear')}</Button>}>
      <span className="block font-medium text-fg">{t('filters.none')}</span>
      {t('filters.noneHint')}
    </Empty>
  );
}
