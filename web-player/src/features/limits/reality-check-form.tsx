import type { Protection } from '@reelbook/contract/player/protection';
import { Card } from '@reelbook/web/components/card';
import { Select } from '@reelbook/web/components/select';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { useProtect } from './use-protect.ts';

const MINUTES = [15, 30, 60, 120, 240] as const;
const NEVER = 'never';

/** How often the player wants a reminder of the time played. */
export function RealityCheckForm({ check }: { check: Protection['reality_check'] }) {
  const { t } = useTranslation();
  const { busy, send } = useProtect({
    send: (minutes: number | null) =>
      api.call('setRealityCheck', { body: { interval_minutes: minutes } }),
    done: t('reality.saved'),
  });
  const now = check.interval_minutes;
  const all = now === null || MINUTES.some((one) => one === now) ? MINUTES : [now, ...MINUTES];
  const options = [
    [NEVER, t('reality.never')] as const,
    ...[...all]
      .sort((a, b) => a - b)
      .map((minutes) => [String(minutes), t('reality.every', { minutes })] as const),
  ];
  return (
    <Card title={t('reality.setting')}>
      <p className="mb-3 text-fg-2 text-sm">{t('reality.settingText')}</p>
      <Select
        label={t('reality.interval')}
        value={now === null ? NEVER : String(now)}
        options={options}
        disabled={busy}
        onChange={(value) => send(value === NEVER ? null : Number(value))}
      />
    </Card>
  );
}
