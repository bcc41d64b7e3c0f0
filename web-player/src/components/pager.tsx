import { Button } from '@reelbook/web/components/button';
import { formatInteger } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';

/** Page buttons of a list; nothing for a list of one page. */
export function Pager(props: {
  page: number;
  pageSize: number;
  total: number;
  onPage(page: number): void;
  /** For lists in ascending order. */
  isOldestFirst?: boolean;
}) {
  const { page, pageSize, total, onPage, isOldestFirst = false } = props;
  const { t } = useTranslation();
  const pages = Math.max(1, Math.ceil(total / pageSize));
  if (pages === 1) return null;
  return (
    <nav
      aria-label={t('pager.label')}
      className="flex items-center justify-between gap-3 border-line border-t pt-3"
    >
      <Button disabled={page <= 1} onClick={() => onPage(page - 1)}>
        {t(isOldestFirst ? 'pager.earlier' : 'pager.newer')}
      </Button>
      <span className="text-fg-3 text-sm" aria-live="polite">
        {t('pager.page', { page: formatInteger(page), pages: formatInteger(pages) })}
      </span>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {t(isOldestFirst ? 'pager.later' : 'pager.older')}
      </Button>
    </nav>
  );
}
