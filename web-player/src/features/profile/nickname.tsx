import type { User } from '@reelbook/contract/player/profile';
import { NICKNAME_MAX_CHARACTERS, readNickname } from '@reelbook/ledger/player/nickname';
import { Button } from '@reelbook/web/components/button';
import { Field } from '@reelbook/web/components/field';
import { PencilIcon } from '@reelbook/web/components/icons';
import { useCommand } from '@reelbook/web/use-command';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../lib/api.ts';
import { refusalText } from '../../lib/refusal-text.ts';
import { session } from '../../lib/session-store.ts';

/** The nickname, edited in place. Validation uses the ledger's rule. */
export function Nickname({ user }: { user: User }) {
  const { t } = useTranslation();
  const [isEditing, setEditing] = useState(false);
  const returnsFocus = useRef(false);
  if (isEditing) {
    returnsFocus.current = true;
    return <NicknameForm user={user} onClose={() => setEditing(false)} />;
  }
  return (
    <div className="flex items-center gap-2">
      <p className="min-w-0 truncate font-semibold text-2xl tracking-tight">{user.display_name}</p>
      <button
        type="button"
        ref={(button) => {
          if (button && returnsFocus.current) button.focus();
        }}
        aria-label={t('profile.edit')}
        className="grid size-11 shrink-0 place-items-center rounded-md text-fg-2 hover:bg-ink-3"
        onClick={() => setEditing(true)}
      >
        <PencilIcon />
      </button>
    </div>
  );
}

function NicknameForm({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useTranslation();
  const [draft, setDraft] = useState(user.nickname ?? '');
  const [refusal, setRefusal] = useState<'badNickname' | 'reservedNickname' | null>(null);
  const { error, send } = useCommand({
    send: (nickname: string) => api.call('changeProfile', { body: { nickname } }),
    onDone: (changed) => {
      session.updateUser(changed);
      onClose();
    },
  });
  function save(event: FormEvent): void {
    event.preventDefault();
    const nickname = readNickname(draft);
    if (typeof nickname === 'string') {
      setRefusal(null);
      send(nickname);
    } else {
      setRefusal(nickname.rejected === 'nickname-reserved' ? 'reservedNickname' : 'badNickname');
    }
  }
  function problem(): string | null {
    if (refusal !== null) return t(`profile.${refusal}`, { max: NICKNAME_MAX_CHARACTERS });
    return error === null ? null : refusalText(error);
  }
  return (
    <form className="grid items-end gap-3 sm:grid-cols-[1fr_auto_auto]" onSubmit={save}>
      <Field
        label={t('profile.nickname', { max: NICKNAME_MAX_CHARACTERS })}
        value={draft}
        onChange={setDraft}
        error={problem()}
        mono={false}
      />
      <Button look="primary" type="submit">
        {t('profile.save')}
      </Button>
      <Button onClick={onClose}>{t('common.cancel')}</Button>
    </form>
  );
}
