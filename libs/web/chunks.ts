/** The part of the bundler's context that is used here. */
interface Context {
  getModuleInfo(id: string): { readonly importedIds: readonly string[] } | null;
}

/** A group of `output.codeSplitting`. */
interface Group {
  readonly debugName: string;
  name(id: string, context: Context): string | null;
}

/** The library that renders, which changes less often than the app. */
export const reactDom = {
  name: 'react-dom',
  test: /node_modules[\\/](react-dom|scheduler)[\\/]/,
};

/** For the build: a chunk of the modules `roots` and everything that they import statically, by absolute paths. */
export function importedBy(debugName: string, ...roots: string[]): Group {
  let found: Set<string> | null = null;
  return {
    debugName,
    name(id, context) {
      found ??= importsOf(roots, context);
      return found.has(id) ? debugName : null;
    },
  };
}

function importsOf(roots: readonly string[], context: Context): Set<string> {
  const found = new Set<string>();
  const waiting = [...roots];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    if (found.has(id)) continue;
    found.add(id);
    waiting.push(...(context.getModuleInfo(id)?.importedIds ?? []));
  }
  return found;
}
