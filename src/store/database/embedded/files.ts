import { NodeFS } from '@electric-sql/pglite/nodefs';

/** PostgreSQL's own last words, which hold the reason and no values. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

/**
 * The database's files in a folder. A PostgreSQL that can't write its log (no room, a read-only disk) panics, and PGlite goes on with
 * what is left of it: from then on it spins and answers nobody. `onPanic` gets the reason before that.
 */
export class WatchedFiles extends NodeFS {
  readonly #onPanic: (reason: string) => void;

  constructor(folder: string, onPanic: (reason: string) => void) {
    super(folder);
    this.#onPanic = onPanic;
  }

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    let lastWords = 'PostgreSQL gave no reason';
    const { emscriptenOpts } = await super.init(...given);
    const printErr = (line: string): void => {
      lastWords = PANIC.exec(line)?.[0] ?? lastWords;
      emscriptenOpts.printErr?.(line);
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr, onAbort: () => this.#onPanic(lastWords) } };
  }
}
