import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

// The embedded database's thread on a disk in trouble: the file named by DISK_TROUBLE holds its error code, or for how many
// milliseconds each write takes. An empty file is a disk in order.
const file = process.env.DISK_TROUBLE;
const { writeSync } = fs;

fs.writeSync = (...given) => {
  const trouble = fs.readFileSync(file, 'utf8');
  if (/^\d+$/.test(trouble)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(trouble));
  else if (trouble !== '') throw Object.assign(new Error(`${trouble}: injected`), { code: trouble });
  return writeSync(...given);
};
syncBuiltinESMExports();

await import('./worker-from-source.mjs');
