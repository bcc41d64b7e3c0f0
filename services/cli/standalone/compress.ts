import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** Text; fonts are compressed already. */
const TEXT = /\.(css|html|js|svg)$/;
const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

/** Writes a `.br` and a `.gz` next to every text file of a built app, for `servePages`. */
export async function compressFiles(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true });
  const texts = names.filter((name) => TEXT.test(name));
  await Promise.all(texts.map((name) => compressFile(join(folder, name))));
}

async function compressFile(path: string): Promise<void> {
  const plain = await readFile(path);
  await writeFile(`${path}.br`, await asBrotli(plain));
  await writeFile(`${path}.gz`, await asGzip(plain, { level: constants.Z_BEST_COMPRESSION }));
}
