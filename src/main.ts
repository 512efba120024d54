import { startThreadEarly } from './app/early-thread.ts';
import { holdSignals } from './process/early-signals.ts';

const handOverSignals = holdSignals(process);

// The embedded database takes as long to load and to open as all the rest: it does both meanwhile.
const thread = startThreadEarly(process.env);
const { prepare } = await import('./app/prepare.ts');
const prepared = await prepare(process.env, thread);
const { run } = await import('./app/run.ts');
await run(process.env, prepared, handOverSignals);
