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

Every process reads its settings from the environment once, at its start. A wrong or missing setting ends the start with exit code 2; the
error lists all faults. An empty value counts as not set. \`NAME_FILE\` may name a file with the value of \`NAME\` instead, as container
engines provide secrets. Settings marked *secret* never appear in a log or a message.

All processes can share one Postgres login. With a separate \`DATABASE_URL\` per process, the login must be a member of:
\`reelbook_app\` for gateway, publisher, cashier and auditor; \`reelbook_projector\` for the projector; both for the console and
\`npm run reelbook -- audit\`. Migrations, backup and restore require the owner of the tables.

\`npm run generate\` writes this page from [libs/runtime/settings.ts](../libs/runtime/settings.ts); a test compares both.

| setting | description | unit | default | bound |
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
