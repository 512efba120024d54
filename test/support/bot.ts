import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { createLogger } from '../../src/process/logger.ts';
import { shared } from '../../src/store/store.testing.ts';
import type { BotLog } from './bot-log.ts';
import type { Clock } from './clock.ts';

export type Variables = Readonly<NodeJS.ProcessEnv>;

export interface BotHere {
  stop(): Promise<void>;
}

export interface BotParts {
  variables: Variables;
  log: BotLog;
  /** A bot in its own process uses real time. */
  clock: Clock;
}

/** Starts the bot in this process. Resolves when it is connected to Slack. An error that would end a real process is logged instead. */
export async function startBotHere({ variables, log, clock }: BotParts): Promise<BotHere> {
  const config = parseConfig(variables);
  const logger = createLogger({ level: 'debug', destination: log });
  const onFatal = (error: unknown) => logger.error({ error }, 'The process would end here');
  const app = await createApp(config, {
    logger,
    onFatal,
    now: () => new Date(clock.now()),
    timer: { ticks: clock.now, sleep: clock.sleep },
    patience: clock.patience,
  });
  try {
    await app.start();
  } catch (error) {
    await app.stop();
    throw error;
  }
  return { stop: () => app.stop() };
}

export interface BotProcess extends BotHere {
  /** Kills it as the system does when memory runs out. */
  kill(): Promise<void>;
  /** Resolves when /readyz answers 200. Rejects if the process ends before that. */
  ready(): Promise<void>;
  ended: Promise<Ending>;
}

/** How a process ended: its exit code, which is null after a kill, and what it wrote to standard error. */
interface Ending {
  code: number | null;
  complaint: string;
}

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** What the bot logs, with its port, once the port is bound. */
export const LISTENING = 'Listening for health checks';

/** Starts the bot in its own process without waiting until it is ready. It inherits none of this process's variables except PATH. */
export async function startBotProcess({ variables, log }: Pick<BotParts, 'variables' | 'log'>): Promise<BotProcess> {
  const known = log.saying(LISTENING).length;
  const child = spawn(process.execPath, [await shared('/bot')], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const output of [child.stdout, child.stderr]) output.setEncoding('utf8').on('data', (piece) => log.write(piece));
  const killWithUs = () => child.kill('SIGKILL');
  process.once('exit', killWithUs);
  const ended = endOf(child, text(child.stderr)).finally(() => process.off('exit', killWithUs));
  const isReady = () => checkReady(log.saying(LISTENING)[known]?.port);
  return {
    ready: () => Promise.race([vi.waitFor(isReady, { timeout: 60_000, interval: 50 }), neverReady(ended)]),
    kill: () => end(child, 'SIGKILL'),
    stop: () => end(child, 'SIGTERM'),
    ended,
  };
}

async function checkReady(port: unknown): Promise<void> {
  if (typeof port !== 'number') throw new Error('the bot has not said where it listens');
  const answer = await fetch(`http://127.0.0.1:${port}/readyz`);
  if (!answer.ok) throw new Error(`the bot is not ready: ${await answer.text()}`);
}

async function neverReady(ended: Promise<Ending>): Promise<never> {
  const { code, complaint } = await ended;
  throw new Error(`the bot ended with ${code} before it was ready: ${complaint}`);
}

async function endOf(child: ChildProcess, said: Promise<string>): Promise<Ending> {
  const [[code], complaint] = await Promise.all([once(child, 'exit'), said]);
  return { code, complaint };
}

async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
