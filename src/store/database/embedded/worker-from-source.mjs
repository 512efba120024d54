import { tsImport } from 'tsx/esm/api';

// A thread of Node 20 does not load TypeScript, not even where its process does.
await tsImport('./worker.ts', import.meta.url);
