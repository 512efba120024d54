import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openStore } from '../../src/store/store.ts';
import { describeReport, isExact } from './report.ts';
import { simulate } from './simulate.ts';

/** `npm run simulate -- --events 1000000 --days 7 --seed 1`: prints the account; exit code 1 where it is not exact. */
const { values } = parseArgs({
  options: {
    events: { type: 'string', default: '1000000' },
    days: { type: 'string', default: '7' },
    seed: { type: 'string', default: '1' },
  },
});

const folder = await mkdtemp(join(tmpdir(), 'notif-simulation-'));
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const store = await openStore({ dataDir: folder, logger });
const started = Date.now();
try {
  const report = await simulate({
    store,
    seed: Number(values.seed),
    events: Number(values.events),
    days: Number(values.days),
    onDay: (day) => console.log(`day ${day} is over, after ${Math.round((Date.now() - started) / 1000)} s`),
  });
  console.log(describeReport(report));
  process.exitCode = isExact(report) ? 0 : 1;
} finally {
  await store.close();
  await rm(folder, { recursive: true, force: true });
}
