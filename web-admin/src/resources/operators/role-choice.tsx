import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { useTexts } from '../../lib/texts.ts';

/** Selects one of the four roles, each with its permissions. */
export function RoleChoice({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const { t } = useTexts();
  return (
    <fieldset>
      <legend className="mb-1 text-fg-3 text-xs">{t('operators.role')}</legend>
      {ROLES.map((role) => (
        <label key={role} className="flex min-h-9 items-baseline gap-2.5 text-sm">
          <input
            type="radio"
            name="role"
            className="accent-brass"
            checked={role === value}
            onChange={() => onChange(role)}
          />
          <span>
            {t(`role.${role}`)} <span className="text-fg-3">{t(`operators.may.${role}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
