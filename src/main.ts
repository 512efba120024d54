import { startThreadEarly } from './app/early-thread.ts';

// The embedded database takes as long to load as all the rest: both load at once.
const thread = startThreadEarly(process.env);
const { run } = await import('./app/run.ts');
await run(process.env, thread);
