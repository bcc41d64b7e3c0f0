import type { Setting } from './setting.ts';
import { SETTINGS, type SettingName } from './settings.ts';

/** The table as text, for --help: one line a setting. */
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

Every process reads its settings from the environment, once, at its start. A wrong or missing one ends the start with exit code 2, and
all faults are told at once. An empty text counts as not set. \`NAME_FILE\` may name a file that holds the text of \`NAME\` instead,
as container engines hand out secrets; the ones marked *secret* never stand in a log or a message.

One login to Postgres serves every process. Where each has a \`DATABASE_URL\` of its own, its login needs to be a member of:
\`reelbook_app\` for gateway, publisher, cashier and auditor; \`reelbook_projector\` for the projector; both for the console and
\`npm run reelbook -- audit\`. Migrations, backup and restore are the owner's.

Written by \`npm run generate\` from [libs/runtime/settings.ts](../libs/runtime/settings.ts); a test holds them together.

| setting | meaning | unit | default | bound |
| --- | --- | --- | --- | --- |
`;

/** All of docs/settings.md. */
export function settingsPage(): string {
  return HEAD + (Object.values(SETTINGS) as Setting<unknown>[]).map(rowOf).join('');
}

function rowOf({ env, meaning, unit, fallback, bound, secret }: Setting<unknown>): string {
  const mark = secret ? ' *(secret)*' : '';
  const shown = fallback === null ? '' : `\`${fallback}\``;
  return `| \`${env}\` | ${meaning}${mark} | ${unit} | ${shown} | ${bound} |\n`;
}
