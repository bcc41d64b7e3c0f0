import { ApiError } from '@reelbook/contract/client';
import type { User } from '@reelbook/contract/player/profile';
import { NICKNAME_MAX_CHARACTERS, readNickname } from '@reelbook/ledger/player/nickname';
import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { PencilIcon } from '@reelbook/web/components/icons';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { session } from '../../lib/session-store.ts';

/** The player's name, edited in place. The rules are the book's own, so both ends agree. */
export function Nickname({ user }: { user: User }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  if (draft === null) {
    return (
      <div className="flex items-center gap-2">
        <p className="min-w-0 truncate font-semibold text-2xl tracking-tight">
          {user.display_name}
        </p>
        <button
          type="button"
          aria-label={t('profile.edit')}
          className="grid size-11 shrink-0 place-items-center rounded-md text-fg-2 hover:bg-ink-3"
          onClick={() => setDraft(user.nickname ?? '')}
        >
          <PencilIcon />
        </button>
      </div>
    );
  }
  const close = () => {
    setDraft(null);
    setError(null);
  };
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const nickname = readNickname(draft ?? '');
    if (typeof nickname !== 'string') {
      return setError(t('profile.badNickname', { max: NICKNAME_MAX_CHARACTERS }));
    }
    try {
      session.updateUser(await api.call('changeProfile', { body: { nickname } }));
      close();
    } catch (caught) {
      setError(
        caught instanceof ApiError && caught.code > 0 ? caught.message : t('common.unreachable'),
      );
    }
  }
  return (
    <form
      className="grid items-end gap-3 sm:grid-cols-[1fr_auto_auto]"
      onSubmit={(e) => void save(e)}
    >
      <Field
        label={t('profile.nickname', { max: NICKNAME_MAX_CHARACTERS })}
        value={draft}
        onChange={setDraft}
        error={error}
        mono={false}
      />
      <Button look="primary" type="submit">
        {t('profile.save')}
      </Button>
      <Button onClick={close}>{t('profile.cancel')}</Button>
    </form>
  );
}
