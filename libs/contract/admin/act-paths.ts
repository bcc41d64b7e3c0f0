import type { AdminPath } from './path.ts';

/** What operators do: to players, to money over the chain, to what is open, to the configuration. */
export const actPaths = {
  suspendPlayer: { method: 'POST', path: '/players/:wallet/suspend', role: 'operator' },
  reinstatePlayer: { method: 'POST', path: '/players/:wallet/reinstate', role: 'operator' },
  playerNotes: { method: 'GET', path: '/players/:wallet/notes', role: 'viewer' },
  notePlayer: { method: 'POST', path: '/players/:wallet/notes', role: 'operator' },
  limitPlayer: { method: 'PUT', path: '/players/:wallet/limits', role: 'operator' },
  excludePlayer: { method: 'POST', path: '/players/:wallet/exclusion', role: 'operator' },
  voidRound: { method: 'POST', path: '/players/:wallet/rounds/:round/void', role: 'operator' },
  refuseVoid: {
    method: 'POST',
    path: '/players/:wallet/rounds/:round/void/refuse',
    role: 'operator',
  },
  adjustments: { method: 'GET', path: '/adjustments', role: 'viewer' },
  adjustBalance: { method: 'POST', path: '/players/:wallet/adjustments', role: 'operator' },
  approveAdjustment: {
    method: 'POST',
    path: '/players/:wallet/adjustments/:adjustment/approve',
    role: 'operator',
  },
  refuseAdjustment: {
    method: 'POST',
    path: '/players/:wallet/adjustments/:adjustment/refuse',
    role: 'operator',
  },
  approveWithdrawal: {
    method: 'POST',
    path: '/withdrawals/:withdrawal/approve',
    role: 'operator',
  },
  denyWithdrawal: { method: 'POST', path: '/withdrawals/:withdrawal/deny', role: 'operator' },
  sayExpired: { method: 'POST', path: '/withdrawals/:withdrawal/expired', role: 'operator' },
  resolveUnmatched: {
    method: 'POST',
    path: '/unmatched-deposits/:signature/resolve',
    role: 'operator',
  },
  switches: { method: 'GET', path: '/switches', role: 'viewer' },
  setSwitch: { method: 'PUT', path: '/switches', role: 'operator' },
  configuration: { method: 'GET', path: '/configuration', role: 'viewer' },
  configurationHistory: { method: 'GET', path: '/configuration/history', role: 'viewer' },
  previewConfiguration: { method: 'POST', path: '/configuration/preview', role: 'viewer' },
  changeConfiguration: { method: 'PUT', path: '/configuration', role: 'admin' },
} as const satisfies Record<string, AdminPath>;
