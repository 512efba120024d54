import { NodeFS } from '@electric-sql/pglite/nodefs';

/** PostgreSQL's last error, which has the reason and no values. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

/**
 * The database's files in a folder. If PostgreSQL can't write its log (no space, a read-only disk) it panics, but PGlite continues with
 * what is left of it: it then spins and answers nobody. `onPanic` gets the reason before that.
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
