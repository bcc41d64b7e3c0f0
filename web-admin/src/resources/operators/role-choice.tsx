import { ROLES, type Role } from '@reelbook/ledger/operators/roles';
import { ROLE_NAMES } from '../../lib/roles.ts';

const PERMISSIONS = {
  viewer: 'can view everything',
  auditor: 'can also audit, verify, export and rebuild projections',
  operator: 'can also manage players, payments and switches',
  admin: 'can also change the configuration and the operators',
};

/** Selects one of the four roles, each with its permissions. */
export function RoleChoice({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  return (
    <fieldset>
      <legend className="mb-1 text-fg-3 text-xs">Role</legend>
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
            {ROLE_NAMES[role]} <span className="text-fg-3">{PERMISSIONS[role]}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
