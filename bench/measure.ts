import { BENCHMARKS } from './benchmarks.ts';

/** Measures the benchmark that its argument names, in a process of its own: clean CPU and heap. Tells its parent the result. */
const measure = BENCHMARKS[process.argv[2] ?? ''];
if (measure === undefined) throw new Error(`There is no benchmark ${process.argv[2]}.`);
process.send?.(await measure());
process.disconnect();
