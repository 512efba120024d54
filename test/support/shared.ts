import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A data folder as a bot leaves it that has started once and read nothing. */
export async function newBotFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'notif-bot-'));
  await cp(await shared('/tables'), join(folder, 'postgres'), { recursive: true });
  return folder;
}

/** The file that runs the bot as it is built. */
export function builtBot(): Promise<string> {
  return shared('/bot');
}

/** The address of the browser that the whole run shares. */
export function browserAddress(): Promise<string> {
  return shared('/browser');
}

/** The folder of the sandbox's page as it is built. */
export function builtPage(): Promise<string> {
  return shared('/page');
}

async function shared(path: '/tables' | '/bot' | '/browser' | '/page'): Promise<string> {
  const answer = await fetch(`${inject('databases')}${path}`);
  if (!answer.ok) throw new Error(`${path} could not be made: ${await answer.text()}`);
  return answer.text();
}
