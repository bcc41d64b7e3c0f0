import { readFileSync } from 'node:fs';
import { Compile } from 'typebox/schema';

/** By type of event its data, and `Body` around it: `npm run generate` writes them from the types. */
const FORMS = new Map(
  Object.entries<object>(
    JSON.parse(readFileSync(new URL('../../migrations/event-forms.json', import.meta.url), 'utf8')),
  ).map(([type, schema]) => [type, Compile(schema)]),
);

/** Why a value is not the data of a type of event, or the `Body` around it; null: it is. An unknown type is not checked. */
export function formFault(type: string, value: unknown): string | null {
  const form = FORMS.get(type);
  if (!form || form.Check(value)) return null;
  const [, [fault]] = form.Errors(value);
  return `it is no ${type}: ${fault?.instancePath} ${fault?.message}`;
}
