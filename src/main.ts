import { setFlagsFromString } from 'node:v8';
import { startThreadEarly } from './app/early-thread.ts';

// V8 would let garbage grow to as much as what is in use: some 60 MB more in a poll of 20,000 failures.
setFlagsFromString('--heap-growing-percent=25');

// The embedded database takes as long to load as all the rest: both load at once.
const thread = startThreadEarly(process.env);
const { run } = await import('./app/run.ts');
await run(process.env, thread);
