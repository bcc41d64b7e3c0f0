/**
 * The forms of stored events, from their types, as JSON Schema with bigints: `npm run generate` writes
 * migrations/event-forms.json, by which the audit checks what a row has.
 */
import { join } from 'node:path';
import { assert } from '@reelbook/ledger/assert';
import { REPOSITORY } from '@reelbook/runtime/repository';
import ts from 'typescript';

export const FORMS_FILE = 'migrations/event-forms.json';

/** Codes that come and go with rules: a stored one may be of an earlier build. */
const OPEN_CODES = ['RejectionCode'];
/** Fields whose numbers may have fractions. */
const FRACTIONS = ['bigWinMultiple', 'choice', 'detail'];

/** Far above those of any event. Without a bound, decoding an address from a long text could take minutes. */
const TEXT = { type: 'string', maxLength: 10_000 };
const MAX = Number.MAX_SAFE_INTEGER;
const INTEGER = { type: 'integer', minimum: -MAX, maximum: MAX };

/** A line by type of event, of its data; `Body` is the text around it. */
export function makeForms(): string {
  const file = (name: string) => join(REPOSITORY, 'libs/ledger', name);
  const files = [file('events.ts'), file('codec.ts')];
  const program = ts.createProgram(files, {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  });
  const checker = program.getTypeChecker();

  function exported(name: string, of: string): ts.Type {
    const source = program.getSourceFile(file(of));
    const module = source && checker.getSymbolAtLocation(source);
    const found = module && checker.getExportsOfModule(module).find((one) => one.name === name);
    assert(found, `${of} exports ${name}`);
    return checker.getDeclaredTypeOfSymbol(found);
  }

  function formOf(type: ts.Type, name = ''): object {
    const has = (flags: ts.TypeFlags) => (type.flags & flags) !== 0;
    if (OPEN_CODES.includes(type.aliasSymbol?.name ?? '')) return TEXT;
    if (has(ts.TypeFlags.Unknown)) return {};
    if (has(ts.TypeFlags.Never)) return { not: {} };
    if (has(ts.TypeFlags.Boolean)) return { type: 'boolean' };
    if (type.isUnion()) {
      const types = type.types.filter((one) => !(one.flags & ts.TypeFlags.Undefined));
      const all = types.map((one) => JSON.stringify(formOf(one, name))).sort();
      return all.length === 1
        ? JSON.parse(all.join())
        : { anyOf: all.map((one) => JSON.parse(one)) };
    }
    if (type.isStringLiteral() || type.isNumberLiteral()) return { const: type.value };
    if (has(ts.TypeFlags.BooleanLiteral)) return { const: checker.typeToString(type) === 'true' };
    if (has(ts.TypeFlags.Null)) return { type: 'null' };
    if (has(ts.TypeFlags.NonPrimitive)) return { type: 'object' };
    if (has(ts.TypeFlags.BigInt)) return { type: 'bigint' };
    if (has(ts.TypeFlags.Number)) return FRACTIONS.includes(name) ? { type: 'number' } : INTEGER;
    if (has(ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral)) return TEXT;
    if (checker.isArrayType(type)) {
      const [item] = checker.getTypeArguments(type as ts.TypeReference);
      assert(item, 'an array has items');
      return { type: 'array', items: formOf(item, name) };
    }
    const index = checker.getIndexInfoOfType(type, ts.IndexKind.String);
    if (index) return { type: 'object', additionalProperties: formOf(index.type, name) };
    assert(has(ts.TypeFlags.Object | ts.TypeFlags.Intersection), checker.typeToString(type));
    const all = checker.getPropertiesOfType(type);
    const needed = all.filter((one) => !(one.flags & ts.SymbolFlags.Optional));
    return {
      type: 'object',
      required: needed.map((one) => one.name),
      properties: Object.fromEntries(
        all.map((one) => [one.name, formOf(checker.getTypeOfSymbol(one), one.name)]),
      ),
    };
  }

  const events = exported('AnyEvent', 'events.ts');
  assert(events.isUnion(), 'an event is one of many');
  const lines = [`"Body":${JSON.stringify(formOf(exported('Body', 'codec.ts')))}`];
  for (const event of events.types) {
    const [type, data] = ['type', 'data'].map((name) => {
      const property = checker.getPropertyOfType(event, name);
      assert(property, `an event has its ${name}`);
      return checker.getTypeOfSymbol(property);
    });
    assert(type?.isStringLiteral() && data, 'an event has one type');
    lines.push(`"${type.value}":${JSON.stringify(formOf(data))}`);
  }
  return `{\n${lines.sort().join(',\n')}\n}\n`;
}
