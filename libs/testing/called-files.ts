import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { REPOSITORY } from '@reelbook/runtime/repository';
import { exists, read } from './repository.ts';

const PRODUCT = /^(?:libs\/(?!testing\/)|services\/).*(?<!\.test)\.ts$/;
/** How Vitest exports a name: reading a constant of another file is no call. */
const EXPORT = /^\(\) => \{ try \{ return [\w$]+ \} catch \{\} \}$/;

export interface CallCounter {
  /** The product's files with a function that was called during `act`, as V8 counts calls. */
  filesCalled<Result>(
    act: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly files: readonly string[] }>;
  close(): void;
}

export async function startCallCounter(): Promise<CallCounter> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Debugger.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const sources = new Map<string, string>();
  const sourceOf = async (scriptId: string) => {
    const source =
      sources.get(scriptId) ??
      (await session.post('Debugger.getScriptSource', { scriptId })).scriptSource;
    sources.set(scriptId, source);
    return source;
  };
  return {
    async filesCalled(act) {
      await session.post('Profiler.takePreciseCoverage');
      const result = await act();
      const counted = await session.post('Profiler.takePreciseCoverage');
      const files = new Set<string>();
      for (const { url, scriptId, functions } of counted.result) {
        const path = url.startsWith('file:') ? fileURLToPath(url).replace(REPOSITORY, '') : url;
        const called = functions.flatMap(({ ranges: [range] }) =>
          range && range.count > 0 ? [range] : [],
        );
        if (called.length === 0 || !PRODUCT.test(path)) continue;
        const source = await sourceOf(scriptId);
        const texts = called.map(({ startOffset, endOffset }) =>
          source.slice(startOffset, endOffset),
        );
        if (texts.some((text) => !EXPORT.test(text))) files.add(path);
      }
      return { result, files: [...files] };
    },
    close: () => session.disconnect(),
  };
}

/**
 * Files in an order in which every import points downwards: first by package, then within each. Throws where there is none,
 * because some import each other.
 */
export function inOrderOfImports(files: readonly string[]): readonly string[] {
  const packageOf = (path: string) => path.split('/').slice(0, 2).join('/');
  const uses = new Map(files.map((path) => [path, reachable(path)]));
  const packages = [...new Set(files.map(packageOf))];
  const usesOfPackage = new Map(
    packages.map((name) => {
      const own = files.filter((path) => packageOf(path) === name);
      const used = own.flatMap((path) => [...(uses.get(path) ?? [])].map(packageOf));
      return [name, new Set(used.filter((other) => other !== name))];
    }),
  );
  return importersFirst(packages, usesOfPackage).flatMap((name) =>
    importersFirst(files.filter((path) => packageOf(path) === name).sort(), uses),
  );
}

/** All that a file imports, of types as well, and what these import. */
function reachable(path: string): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...importsOf(path)];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...importsOf(next));
  }
  return found;
}

const known = new Map<string, readonly string[]>();

function importsOf(path: string): readonly string[] {
  const imports = known.get(path) ?? readImports(path);
  known.set(path, imports);
  return imports;
}

function readImports(path: string): readonly string[] {
  return [...read(path).matchAll(/^(?:import|export|\}) ?[^;]*?from '([^']+)';/gm)].flatMap(
    ([, from = '']) => {
      if (from.startsWith('.')) {
        return [fileURLToPath(new URL(from, `file:///${path}`)).slice(1)];
      }
      const [, name = ''] = /^@reelbook\/(.+)$/.exec(from) ?? [];
      return ['libs', 'services'].map((base) => `${base}/${name}.ts`).filter(exists);
    },
  );
}

function importersFirst(
  names: readonly string[],
  uses: ReadonlyMap<string, ReadonlySet<string>>,
): readonly string[] {
  const left = new Set(names);
  const order: string[] = [];
  while (left.size > 0) {
    const next = [...left].find((name) =>
      [...left].every((other) => other === name || !uses.get(other)?.has(name)),
    );
    if (next === undefined) throw new Error(`these import each other: ${[...left].join(', ')}`);
    left.delete(next);
    order.push(next);
  }
  return order;
}
