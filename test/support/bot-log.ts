import { vi } from 'vitest';
import { z } from 'zod';

const Line = z.looseObject({ level: z.string(), msg: z.string() });

export type LogLine = z.output<typeof Line>;

const GRAVE = new Set(['error', 'fatal']);

/** Everything that the bot logs in a test, in any process and over all restarts. */
export class BotLog {
  readonly #texts: string[] = [];
  readonly #expected: RegExp[] = [];
  #rest = '';

  write(piece: string): void {
    const texts = `${this.#rest}${piece}`.split('\n');
    this.#rest = texts.pop() ?? '';
    this.#texts.push(...texts.filter((text) => text !== ''));
  }

  saying(words: string): readonly LogLine[] {
    return this.#texts.filter((text) => text.includes(words)).flatMap((text) => readLine(text) ?? []);
  }

  async until(words: string, times = 1, withinMs = 120_000): Promise<void> {
    const enough = () => {
      const known = this.saying(words).length;
      if (known < times) throw new Error(`"${words}" is in the log ${known} times, not ${times}`);
    };
    await vi.waitFor(enough, { timeout: withinMs, interval: 20 });
  }

  tail(count = 30): string {
    return this.#texts.slice(-count).join('\n');
  }

  expects(sentence: RegExp): void {
    this.#expected.push(sentence);
  }

  /** Returns unexpected output: errors, anything that isn't a log line, and anything that contains a secret. */
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
    // Something else than a log line, for example a stack that a dying process printed.
    return null;
  }
}
