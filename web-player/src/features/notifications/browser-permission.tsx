import { Button } from '@reelbook/web/components/button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { notifyPermission } from '../../lib/unread.ts';

/** The browser's permission for notifications; requested only when the player wants it. */
export function BrowserPermission() {
  const { t } = useTranslation();
  const [permission, setPermission] = useState(notifyPermission);
  if (permission === null) return null;
  if (permission !== 'default') {
    return (
      <p className="mt-4 text-fg-3 text-sm">
        {t(permission === 'granted' ? 'notifications.permitted' : 'notifications.denied')}
      </p>
    );
  }
  return (
    <div className="mt-4 flex flex-wrap items-center gap-3">
      <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
        {t('notifications.permit')}
      </Button>
      <span className="text-fg-3 text-sm">{t('notifications.permitHint')}</span>
    </div>
  );
}
