/** JSON schemas as rows of a table. */
import type { Route } from '@reelbook/contract/route';

type Schema = Route['data'];

/** The schemas of a page that have a name: they are described once and linked. */
export interface NamedTypes {
  readonly all: readonly (readonly [name: string, schema: Schema])[];
  nameOf(schema: object): string | undefined;
}

export function openNamedTypes(schemas: Readonly<Record<string, Schema>>): NamedTypes {
  const all = Object.entries(schemas);
  const names = new Map(all.map(([name, schema]) => [fieldsKey(schema), name]));
  return { all, nameOf: (schema) => names.get(fieldsKey(schema)) };
}

/** The same fields are the same type: a spread or an optional one is a new object. */
const fieldsKey = (schema: object): unknown => (schema as Loose).properties ?? schema;

interface Loose {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Loose>>;
  readonly required?: readonly string[];
  readonly items?: Loose;
  readonly anyOf?: readonly Loose[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

type Row = readonly [name: string, type: string, meaning: string];

/** A row for each field of an object or of the entries of a list, those inside after their own. */
export function fieldRows(schema: Schema, types: NamedTypes): readonly Row[] {
  return rowsOf(schema as Loose, '', types, new Set());
}

function rowsOf(
  schema: Loose,
  prefix: string,
  types: NamedTypes,
  shared: Set<string>,
): readonly Row[] {
  const { properties = {}, required = [] } = objectIn(schema) ?? {};
  const balances = sharedFields(properties, types);
  return Object.entries(properties).flatMap(([name, field]): readonly Row[] => {
    if (balances?.names.has(name)) {
      if (shared.has(prefix + balances.type)) return [];
      shared.add(prefix + balances.type);
      const names = [...balances.names].map((one) => `\`${prefix}${one}\``).join(', ');
      return [[names, linkTo(balances.type), 'After the call']];
    }
    const own = `${prefix}${name}`;
    const mark = required.includes(name) ? '' : ' *(optional)*';
    const inner = isNamed(field, types) ? [] : rowsOf(field, own + innerOf(field), types, shared);
    return [[`\`${own}\`${mark}`, typeOf(field, types), meaningOf(field)], ...inner];
  });
}

/** The fields of Balances among others: every command returns them. */
function sharedFields(properties: Readonly<Record<string, Loose>>, types: NamedTypes) {
  const found = types.all.find(([type]) => type === 'Balances');
  const fields = (found?.[1] as Loose | undefined)?.properties ?? {};
  const names = Object.keys(fields);
  const isIn = names.length > 0 && names.every((name) => properties[name] === fields[name]);
  return isIn && Object.keys(properties).length > names.length
    ? { type: 'Balances', names: new Set(names) }
    : null;
}

const variantsOf = ({ anyOf }: Loose) => anyOf?.filter(({ type }) => type !== 'null') ?? [];

/** The object of a field: alone, in a list, or as an alternative to null. */
function objectIn(schema: Loose): Loose | undefined {
  if (schema.properties) return schema;
  if (schema.items) return objectIn(schema.items);
  return variantsOf(schema).map(objectIn).find(Boolean);
}

const innerOf = (schema: Loose): string => (isList(schema) ? '[].' : '.');
const isList = (schema: Loose): boolean =>
  schema.items !== undefined || variantsOf(schema).some(isList);

/** Whether a value is of a named type, a list of one, or one of several. */
export function isNamed(schema: object, types: NamedTypes): boolean {
  if (types.nameOf(schema)) return true;
  const { items } = schema as Loose;
  if (items) return isNamed(items, types);
  const variants = variantsOf(schema as Loose);
  return variants.length > 0 && variants.every((one) => isNamed(one, types));
}

const linkTo = (name: string) => `[${name}](#${name.toLowerCase()})`;

/** The type of a value in words, with its bounds. */
export function typeOf(schema: object, types: NamedTypes): string {
  const one = schema as Loose;
  const name = types.nameOf(schema);
  if (name) return linkTo(name);
  if (one.anyOf) return one.anyOf.map((variant) => typeOf(variant, types)).join(' or ');
  if (one.items) return `list of ${typeOf(one.items, types)}`;
  if (one.enum) return one.enum.map((value) => `\`${value}\``).join(', ');
  if (one.const !== undefined) return `\`${JSON.stringify(one.const)}\``;
  const type = one.type === undefined ? 'any JSON' : [one.type].flat().join(' or ');
  return [type, ...boundsOf(one)].join(', ');
}

function boundsOf({ minimum, maximum, minLength = 0, maxLength, default: byDefault }: Loose) {
  const most = maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? null : maximum;
  return [
    ...(minimum === undefined ? [] : [most === null ? `from ${minimum}` : `${minimum} to ${most}`]),
    ...(maxLength === undefined
      ? []
      : [
          minLength === 0
            ? `up to ${maxLength} characters`
            : `${minLength} to ${maxLength} characters`,
        ]),
    ...(byDefault === undefined ? [] : [`default ${byDefault}`]),
  ];
}

function meaningOf({ description, items, pattern, type }: Loose): string {
  const words = description ?? items?.description ?? '';
  if (words !== '' || pattern === undefined || type === 'object')
    return words.replace(/[|<]/g, '\\$&');
  return `Matches \`${pattern.replaceAll('|', '\\|')}\``;
}
