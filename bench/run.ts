import { writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { BENCHMARKS } from './benchmarks.ts';
import { nextMessage, startChild } from './child.ts';
import { isMissed, tableOf } from './report.ts';
import { BenchResult } from './result.ts';

const RESULTS_FILE = fileURLToPath(new URL('results.json', import.meta.url));

/** `npm run bench [-- client memory]` exits with 1 if a promise is missed or can't be measured, and with 2 for an unknown benchmark. */
const names = wantedNames();
const [loadBefore = 0] = loadavg();
const results: BenchResult[] = [];
const broken: string[] = [];
for (const name of names) {
  console.log(`Measuring ${name} …`);
  try {
    results.push(BenchResult.parse(await nextMessage(startChild('measure.ts', name))));
  } catch (error) {
    broken.push(name);
    console.error(`${name} couldn't be measured.`, error);
  }
}
console.log(`\n${tableOf(results)}\n`);
await writeFile(RESULTS_FILE, JSON.stringify({ machine: machine(), broken, results }, null, 2));
if (loadBefore > availableParallelism() / 2) {
  console.log(`The machine was busy (load ${loadBefore.toFixed(1)}): only figures of CPU time can be relied upon.`);
}
console.log(`The figures are in ${RESULTS_FILE}. What they mean is in docs/sizing.md.`);
if (broken.length > 0 || results.some(({ figures }) => figures.some(isMissed))) process.exitCode = 1;

function wantedNames(): readonly string[] {
  const all = Object.keys(BENCHMARKS);
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !all.includes(name));
  if (unknown.length === 0) return named.length === 0 ? all : named;
  console.error(`There is no benchmark ${unknown.join(', ')}. There is ${all.join(', ')}.`);
  process.exit(2);
}

function machine(): object {
  return {
    measuredAt: new Date().toISOString(),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    loadBefore,
    memoryGB: Math.round(totalmem() / 2 ** 30),
  };
}
