import { BENCHMARKS } from './benchmarks.ts';

/** Runs the benchmark that its argument names in its own process, with clean CPU and heap, and sends the result to its parent. */
const measure = BENCHMARKS[process.argv[2] ?? ''];
if (measure === undefined) throw new Error(`There is no benchmark ${process.argv[2]}.`);
process.send?.(await measure());
process.disconnect();
