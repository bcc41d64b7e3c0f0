import type { GameConfig } from '@reelbook/contract/player/public';
import { Card } from '@reelbook/web/components/card';
import { LoadFailed, Skeleton, SkeletonRows } from '@reelbook/web/components/states';
import { formatInteger } from '@reelbook/web/format';
import { useTranslation } from 'react-i18next';
import { PaytableRows } from './paytable-rows.tsx';

const ROWS = 8;

/** Payouts and odds by the server's current rules. */
export function PaytableCard({
  config,
  failed,
  retry,
}: {
  config: GameConfig | undefined;
  failed: boolean;
  retry(): void;
}) {
  const { t } = useTranslation();
  const aside = config && t('paytable.returns', { percent: config.return.percent.toFixed(2) });
  return (
    <Card title={t('paytable.title')} aside={aside ?? ''}>
      {config && (
        <>
          <PaytableRows config={config} />
          <p className="pt-3 text-fg-3 text-xs">
            {t('slot.paytableNote', {
              hit: config.hit_rate_percent.toFixed(2),
              max: formatInteger(config.max_win),
            })}
          </p>
        </>
      )}
      {!config && failed && <LoadFailed retry={retry} />}
      {!config && !failed && (
        <>
          <SkeletonRows count={ROWS} className="h-[37px]" />
          <Skeleton className="mt-3 h-9" />
        </>
      )}
    </Card>
  );
}
