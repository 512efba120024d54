import { vi } from 'vitest';
import { z } from 'zod';

const Line = z.looseObject({ level: z.string(), msg: z.string() });

/** A line of the bot's log: its level, its constant sentence `msg`, and the fields. */
export type LogLine = z.output<typeof Line>;

const GRAVE = new Set(['error', 'fatal']);

/** All that the bot logs in a journey, whichever process it runs in and however often it is started. */
export class BotLog {
  readonly #texts: string[] = [];
  readonly #expected: RegExp[] = [];
  #rest = '';

  /** Takes output as it comes: a piece may end within a line. */
  write(piece: string): void {
    const texts = `${this.#rest}${piece}`.split('\n');
    this.#rest = texts.pop() ?? '';
    this.#texts.push(...texts.filter((text) => text !== ''));
  }

  /** The lines whose sentence or fields say this, oldest first. */
  saying(words: string): readonly LogLine[] {
    return this.#texts.filter((text) => text.includes(words)).flatMap((text) => readLine(text) ?? []);
  }

  /** Waits until as many lines say this. */
  async until(words: string, times = 1, withinMs = 60_000): Promise<void> {
    const enough = () => {
      const known = this.saying(words).length;
      if (known < times) throw new Error(`"${words}" is in the log ${known} times, not ${times}`);
    };
    await vi.waitFor(enough, { timeout: withinMs, interval: 20 });
  }

  /** The newest lines, for somebody who wonders why a journey failed. */
  tail(count = 30): string {
    return this.#texts.slice(-count).join('\n');
  }

  /** Lines about errors that fit are a part of the story; others fail the journey. */
  expects(sentence: RegExp): void {
    this.#expected.push(sentence);
  }

  /** What nobody expected: grave lines, output that is not a line of the log, and any that holds one of the secrets. */
  surprises(secrets: readonly string[]): readonly string[] {
    return [...this.#texts, ...(this.#rest === '' ? [] : [this.#rest])].filter((text) => {
      const isExpected = this.#expected.some((sentence) => sentence.test(text));
      return secrets.some((secret) => text.includes(secret)) || (isGrave(text) && !isExpected);
    });
  }
}

function isGrave(text: string): boolean {
  const line = readLine(text);
  return line === null || GRAVE.has(line.level);
}

function readLine(text: string): LogLine | null {
  try {
    return Line.parse(JSON.parse(text));
  } catch {
    // Not a line of the log: a stack that the process printed as it died, say.
    return null;
  }
}
