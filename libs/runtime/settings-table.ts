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

**You want to configure a process.** Every process reads its settings from the environment, once, at its start. Wrong or missing settings end the
start with exit code 2 and are all reported in one message. An empty text counts as not set. \`NAME_FILE\` may name a file that contains the
value of \`NAME\`, as container engines provide secrets. Settings marked *secret* never appear in a log or a message.

One login to Postgres serves every process. If each process has its own \`DATABASE_URL\`, its login must be a member of \`reelbook_app\`
(gateway, publisher, cashier, auditor), \`reelbook_projector\` (projector) or both (console, \`npm run reelbook -- audit\`). Migrations, backup and
restore need the owner.

\`npm run generate\` writes this page from [libs/runtime/settings.ts](../libs/runtime/settings.ts).

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
