import { existsSync } from 'node:fs';

// Tests name a file in which the sources are compiled once for all threads: compiling them takes as long as opening the database.
const { EMBEDDED_WORKER: compiled = '' } = process.env;
if (existsSync(compiled)) {
  await import(compiled);
} else {
  // A thread of Node 20 does not load TypeScript, not even where its process does.
  const { tsImport } = await import('tsx/esm/api');
  await tsImport('./worker.ts', import.meta.url);
}
