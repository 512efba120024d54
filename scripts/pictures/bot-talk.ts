import type { Logger } from '../../src/lib/logger.ts';

/** Reads the bot's log, to wait until the bot has done something. Warnings and errors are printed to standard error. */
export class BotTalk {
  readonly #logged: string[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly logger: Logger = {
    debug: (fields, sentence) => this.#hear(fields, sentence),
    info: (fields, sentence) => this.#hear(fields, sentence),
    warn: (fields, sentence) => console.error(sentence, fields),
    error: (fields, sentence) => console.error(sentence, fields),
  };

  /** Resolves when the bot has logged a sentence so many more times; `: staging` is added to one about the environment staging. */
  async says(sentence: string, times: number): Promise<void> {
    const count = () => this.#logged.filter((logged) => logged === sentence).length;
    const enough = count() + times;
    while (count() < enough) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #hear(fields: object, sentence: string): void {
    this.#logged.push('environment' in fields ? `${sentence}: ${fields.environment}` : sentence);
    for (const go of this.#waiting.splice(0)) go();
  }
}
