import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startLocalService } from './server.ts';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function run(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit'), errors: text(child.stderr) };
}

describe('the local service on its own', () => {
  test('prints its address and key, and stops cleanly on Ctrl-C', async () => {
    const { child, exit } = run('--port', '0');
    const [greeting] = await once(child.stdout, 'data');
    expect(String(greeting)).toMatch(/listens on http:\/\/127\.0\.0\.1:\d+, with \d{4} events/);
    expect(String(greeting)).toContain('API key is sandbox-key');
    child.kill('SIGINT');
    expect(await exit).toEqual([0, null]);
  });

  test('says in a sentence that its port is in use', async () => {
    const other = await startLocalService();
    onTestFinished(() => other.close());
    const port = new URL(other.url).port;
    const { exit, errors } = run('--port', port);
    expect(await exit).toEqual([1, null]);
    expect(await errors).toMatch(new RegExp(`^Port ${port} is already in use\\. .*\\n$`));
  });

  test('prints its usage on request', async () => {
    const { child, exit } = run('--help');
    expect(await text(child.stdout)).toBe('Usage: npm run sandbox:service -- [--port N] [--seed N] [--help]\n');
    expect(await exit).toEqual([0, null]);
  });

  test.each(['--port=high', '--colour=red'])('explains its arguments when called with %s', async (argument) => {
    const { exit, errors } = run(argument);
    expect(await exit).toEqual([1, null]);
    expect(await errors).toContain('Usage: npm run sandbox:service');
  });
});
