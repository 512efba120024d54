import { BENCHMARKS } from './benchmarks.ts';

/** This process runs the benchmark that the first argument names, with a clean CPU and heap, and sends the result to the parent process. */
const measure = BENCHMARKS[process.argv[2] ?? ''];
if (measure === undefined) throw new Error(`There is no benchmark ${process.argv[2]}.`);
process.send?.(await measure());
process.disconnect();
