/**
 * The roles, least first; each includes those before it. viewer: read. auditor: audit, verify, export.
 * operator: players, payments review, switches, rebuilt read models. admin: configuration, operators.
 */
export const ROLES = ['viewer', 'auditor', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role includes `least`. */
export function mayAct(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

/** The admins that shell commands may add alone; from then on shell commands only propose. */
export const ADMINS_BY_SHELL = 2;

/** The wallet of an operator's actor. */
export const walletOf = (actor: string) => actor.replace(/^operator:/, '');

export const isShell = (actor: string) => actor.startsWith('system:');

/** The shell, until two admins have been added. */
export const mayActAlone = (by: string, adminsEver: number) =>
  isShell(by) && adminsEver < ADMINS_BY_SHELL;
