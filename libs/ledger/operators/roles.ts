/**
 * What an operator may do, least first; each may all that those before it may. viewer: read. auditor: audit, verify, export,
 * rebuild beside. operator: players, the cashier's desk, switches, rebuilt read models. admin: configuration, operators.
 */
export const ROLES = ['viewer', 'auditor', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role may what asks for `least`. */
export function mayAct(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
