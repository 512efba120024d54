import { cp, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';

/** A data folder as a bot leaves it that has started once and read nothing. */
export async function newBotFolder(): Promise<string> {
  const answer = await fetch(`${inject('databases')}/tables`);
  if (!answer.ok) throw new Error(`the tables could not be made: ${await answer.text()}`);
  const folder = await mkdtemp(join(tmpdir(), 'notif-bot-'));
  await cp(await answer.text(), join(folder, 'postgres'), { recursive: true });
  return folder;
}
