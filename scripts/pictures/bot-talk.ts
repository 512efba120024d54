import type { Logger } from '../../src/domain/logger.ts';

/** What the bot logs, for anyone who waits for it to have done something; warnings and errors go to standard error. */
export class BotTalk {
  readonly #said: string[] = [];
  readonly #waiting: (() => void)[] = [];

  readonly logger: Logger = {
    debug: () => {},
    info: (fields, sentence) => this.#hear('environment' in fields ? `${sentence}: ${fields.environment}` : sentence),
    warn: (fields, sentence) => console.error(sentence, fields),
    error: (fields, sentence) => console.error(sentence, fields),
  };

  /** Resolves when the bot has said a sentence so many times from now on; one about an environment ends in its name: 'events read: staging'. */
  async says(sentence: string, times: number): Promise<void> {
    const count = () => this.#said.filter((said) => said === sentence).length;
    const enough = count() + times;
    while (count() < enough) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #hear(sentence: string): void {
    this.#said.push(sentence);
    for (const go of this.#waiting.splice(0)) go();
  }
}
