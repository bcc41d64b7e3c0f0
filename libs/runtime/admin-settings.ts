import { folder, integer } from './parsers.ts';
import { setting } from './setting.ts';

/** Settings of the operators' console. */
export const adminSettings = {
  adminPort: setting(
    'ADMIN_PORT',
    null,
    integer(0, 65_535, 'a TCP port'),
    "port of the operators' console and API; none: the one after PORT (8081); 0 takes any",
  ),
  adminWebRoot: setting(
    'ADMIN_WEB_ROOT',
    null,
    folder,
    'folder of the built console that is served there',
  ),
} as const;

/** A process that takes any port for players takes any for operators. */
export function adminPortOf(settings: {
  readonly port: number;
  readonly adminPort: number | null;
}): number {
  return settings.adminPort ?? (settings.port === 0 ? 0 : settings.port + 1);
}
