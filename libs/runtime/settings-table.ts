import type { Setting } from './setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';

/** The settings as text for --help: one line per setting. */
export function describeSettings(wanted: readonly SettingName[]): string {
  const rows = wanted.map((name) => SETTINGS[name]);
  const width = Math.max(...rows.map((row) => row.env.length));
  return rows
    .map(
      (row) =>
        `  ${row.env.padEnd(width)}  ${row.meaning}${row.fallback ? ` (${row.fallback})` : ''}`,
    )
    .join('\n');
}

const HEAD = `# Settings

**Environment variables of all processes.** Every process reads its settings once, when it starts. If settings are invalid or missing, the process
reports all of them in one message and exits with code 2. An empty value counts as not set. To read the value of \`NAME\` from a file, such as a
container secret, set \`NAME_FILE\` to its path. Settings marked *secret* never appear in a log or a message.

All processes can share one Postgres login. If each process has its own login, the login must be a member of \`reelbook_app\`
(gateway, publisher, cashier, auditor), \`reelbook_projector\` (projector) or both (console, \`npm run reelbook -- audit\`). Migrations need the owner of the
database, backups a superuser.

\`npm run generate\` writes this page from [libs/runtime/settings.ts](../libs/runtime/settings.ts).

| setting | description | unit | default | valid values |
| --- | --- | --- | --- | --- |
`;

/** The text of docs/settings.md. */
export function settingsPage(): string {
  return HEAD + (Object.values(SETTINGS) as Setting<unknown>[]).map(rowOf).join('');
}

function rowOf({ env, meaning, unit, fallback, bound, secret }: Setting<unknown>): string {
  const mark = secret ? ' *(secret)*' : '';
  const shown = fallback === null ? '' : `\`${fallback}\``;
  return `| \`${env}\` | ${meaning}${mark} | ${unit} | ${shown} | ${bound} |\n`;
}
