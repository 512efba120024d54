import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { unobserved } from '../domain/observer.ts';
import { untraced } from '../domain/tracer.ts';
import { createTracer } from './tracer.ts';

const run = promisify(execFile);

test('a tracer without a collector returns what it wraps unchanged', async () => {
  const tracer = await createTracer(null, '0.0.0');
  expect(tracer).toBe(untraced);
  expect(tracer.spans('sql', unobserved)).toBe(unobserved);
  expect(await tracer.within('job poll', async () => 1)).toBe(1);
});

/** Runs in a process that has loaded nothing yet. Prints how many of the packages' files are loaded without a collector, and with one. */
const COUNT_LOADED = `
  import { createRequire } from 'node:module';
  import { createTracer } from '${new URL('./tracer.ts', import.meta.url).href}';
  const { cache } = createRequire(import.meta.url);
  const loaded = () => Object.keys(cache).filter((file) => file.includes('@opentelemetry')).length;
  await createTracer(null, '0.0.0');
  const without = loaded();
  await (await createTracer('http://127.0.0.1:9', '0.0.0')).stop();
  console.log(JSON.stringify({ without, with: loaded() }));`;

test("a tracer's packages are loaded only for a collector", async () => {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', COUNT_LOADED]);
  const counts = JSON.parse(stdout);
  expect(counts.without).toBe(0);
  expect(counts.with).toBeGreaterThan(0);
});

test('a tracer passes on the result and the error of what it traces', async () => {
  const tracer = await createTracer('http://127.0.0.1:9', '0.0.0');
  expect(await tracer.within('job poll', async () => tracer.fields())).toEqual({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const error = new Error('a reason');
  await expect(tracer.within('job poll', () => Promise.reject(error))).rejects.toBe(error);
  expect(tracer.fields()).toEqual({});
  await tracer.stop();
});
