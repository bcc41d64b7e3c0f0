import type { ExclusionBody } from '@reelbook/contract/player/protection';
import { Button } from '@reelbook/web/components/button';
import { Card } from '@reelbook/web/components/card';
import { Dialog } from '@reelbook/web/components/dialog';
import { Select } from '@reelbook/web/components/select';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { useProtect } from './use-protect.ts';

const TERMS = [
  '24h',
  '7d',
  '30d',
  '180d',
  'permanent',
] as const satisfies readonly ExclusionBody['term'][];

/** Self-exclusion, which cannot be revoked; confirmed in a dialog. */
export function Exclusion() {
  const { t } = useTranslation();
  const [term, setTerm] = useState<ExclusionBody['term']>('24h');
  const [asking, setAsking] = useState(false);
  const { busy, send } = useProtect({
    send: () => api.call('excludeSelf', { body: { term } }),
    done: t('exclusion.done'),
    topic: term === 'permanent' ? 'self-excluded-for-good' : 'self-excluded',
    onDone: () => setAsking(false),
  });
  return (
    <Card title={t('exclusion.title')}>
      <p className="mb-3 text-fg-2 text-sm">{t('exclusion.text')}</p>
      <Select<ExclusionBody['term']>
        label={t('exclusion.term')}
        value={term}
        onChange={setTerm}
        options={TERMS.map((one) => [one, t(`exclusion.terms.${one}`)] as const)}
      />
      <Button className="mt-3 w-full text-coral" onClick={() => setAsking(true)}>
        {t('exclusion.submit')}
      </Button>
      {asking && (
        <Dialog title={t('exclusion.confirmTitle')} onClose={() => setAsking(false)}>
          <p className="mb-2">{t('exclusion.confirm', { term: t(`exclusion.terms.${term}`) })}</p>
          <p className="mb-5 text-fg-2 text-sm">{t('exclusion.stays')}</p>
          <div className="grid grid-cols-2 gap-3">
            <Button onClick={() => setAsking(false)}>{t('common.cancel')}</Button>
            <Button className="border-coral text-coral" disabled={busy} onClick={() => send()}>
              {t('exclusion.yes')}
            </Button>
          </div>
        </Dialog>
      )}
    </Card>
  );
}
