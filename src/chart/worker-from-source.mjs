// A thread of Node 20 does not load TypeScript, not even where its process does.
const { tsImport } = await import('tsx/esm/api');
await tsImport('./worker.ts', import.meta.url);
