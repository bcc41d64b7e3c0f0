import { folder, integer, origin, setting } from './setting.ts';

/** Settings of the operators' console. */
export const adminSettings = {
  adminPort: setting(
    'ADMIN_PORT',
    integer(0, 65_535, 'a TCP port'),
    "port of the operators' console and API; default: PORT + 1; 0: any free port",
  ),
  consoleOrigin: setting(
    'CONSOLE_ORIGIN',
    origin,
    "origin of the operators' console in the address bar of browsers, which sign-ins name; default: http://localhost:ADMIN_PORT",
  ),
  adminWebRoot: setting(
    'ADMIN_WEB_ROOT',
    folder,
    'folder of the built console, served on ADMIN_PORT',
  ),
} as const;

/** PORT=0 implies any free port for the console too. */
export function adminPortOf(settings: {
  readonly port: number;
  readonly adminPort: number | null;
}): number {
  return settings.adminPort ?? (settings.port === 0 ? 0 : settings.port + 1);
}
