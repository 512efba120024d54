import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { extname, join, normalize, sep } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
};

/** Serves a file of the built page, or the page itself for any path that isn't a file. Reads nothing outside of the folder. */
export async function servePageFile(response: ServerResponse, folder: string, pathname: string): Promise<void> {
  const wanted = fileIn(folder, pathname);
  const file = extname(wanted) in TYPES ? wanted : join(folder, 'index.html');
  try {
    const content = await readFile(file);
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
    response.end(content);
  } catch (error) {
    if (!isMissing(error)) throw error;
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' });
    response.end('Not found: the page may not be built yet.');
  }
}

/** Returns the file at the path inside the folder, or the page itself for a path outside. */
function fileIn(folder: string, pathname: string): string {
  const file = normalize(join(folder, decodeURIComponent(pathname)));
  return file.startsWith(normalize(folder) + sep) ? file : join(folder, 'index.html');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR');
}
