import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

function run(...args: string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, exit: once(child, 'exit') };
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
});
