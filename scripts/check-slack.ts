import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Shape, Shapes } from '../sandbox/slack/validate/shapes.ts';
import { checkShapes } from './check-slack/check-shapes.ts';
import { findDrawers } from './check-slack/drawn-by.ts';

/**
 * Usage: tsx scripts/check-slack.ts [journeys to play, instead of all]
 * Sends each distinct shape of what the journeys show to `blocks.validate` of SLACK_API_URL, Slack's own by default. Exits with 1 if one is
 * refused, or judged otherwise by the local Slack.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'slack-shapes-'));
try {
  const env = { ...process.env, SLACK_SHAPES: folder };
  const [given, ...more] = process.argv.slice(2);
  const run = ['vitest', 'run', given ?? 'test/journeys', ...more];
  const [code] = await once(spawn('npx', run, { cwd: root, env, stdio: 'inherit' }), 'exit');
  if (code !== 0) console.error('Not all journeys passed: shapes may be missing.');
  const shapes = new Shapes();
  for (const name of await readdir(folder)) {
    const shown: readonly Shape[] = JSON.parse(await readFile(join(folder, name), 'utf8'));
    for (const shape of shown) shapes.note(shape);
  }
  const all = shapes.all();
  const apiUrl = process.env.SLACK_API_URL || 'https://slack.com/api';
  console.info(`${all.length} shapes go to ${apiUrl}, one a second …`);
  const findings = await checkShapes(all, { apiUrl, drawnBy: await findDrawers(root), sleep: (ms) => sleep(ms) });
  for (const { pointer, message, file, rule } of findings) {
    const correct = rule === null ? '' : `\n  correct the rule of ${rule} in sandbox/slack/validate/`;
    console.error(`${message} [${pointer || '/'}]\n  drawn by ${file}${correct}`);
  }
  console.info(findings.length === 0 ? 'Slack accepts all of them.' : `${findings.length} findings.`);
  process.exitCode = findings.length === 0 && code === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true });
}
