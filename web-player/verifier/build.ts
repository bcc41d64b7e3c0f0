import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { build, type Plugin } from 'vite';

const FOLDER = import.meta.dirname;

/**
 * The verifier as one HTML file: the page with the checking code of `libs` inside, allowed by hash in its content
 * policy.
 */
export async function buildVerifier(): Promise<string> {
  const built = await build({
    configFile: false,
    root: FOLDER,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: `${FOLDER}/main.ts`, formats: ['iife'], name: 'verifier' },
    },
  });
  const [result] = Array.isArray(built) ? built : [built];
  const chunk = result && 'output' in result ? result.output[0] : null;
  if (chunk?.type !== 'chunk') throw new Error('the verifier build produced no script');
  // In a page the text of a script ends at the first closing tag, even inside a string.
  const script = chunk.code.replaceAll('</script', '<\\/script');
  const hash = createHash('sha256').update(script, 'utf8').digest('base64');
  const page = await readFile(`${FOLDER}/page.html`, 'utf8');
  return page
    .replace('%SCRIPT_HASH%', () => hash)
    .replace('<script src="main.ts"></script>', () => `<script>${script}</script>`);
}

/** Adds `verifier.html` to the output. */
export function verifierPage(): Plugin {
  return {
    name: 'verifier-page',
    apply: 'build',
    async generateBundle() {
      const source = await buildVerifier();
      this.emitFile({ type: 'asset', fileName: 'verifier.html', source });
    },
  };
}
