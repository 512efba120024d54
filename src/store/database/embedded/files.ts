import { NodeFS } from '@electric-sql/pglite/nodefs';

/** PostgreSQL's last error, which has the reason and no values. */
const PANIC = /\b(?:PANIC|FATAL): .*/;

/**
 * The database's files in a folder. If PostgreSQL can't write its log (no space, a read-only disk) it panics, but PGlite continues with
 * what is left of it: it then spins and answers nobody. `onPanic` gets the reason before that.
 */
export class WatchedFiles extends NodeFS {
  readonly #onPanic: (reason: string) => void;
  #lastWords: string | null = null;

  constructor(folder: string, onPanic: (reason: string) => void) {
    super(folder);
    this.#onPanic = onPanic;
  }

  /** Why PostgreSQL ended, in its words. PGlite's own errors don't have them. */
  get lastWords(): string {
    return this.#lastWords ?? 'PostgreSQL gave no reason';
  }

  override async init(...given: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...given);
    const printErr = (line: string): void => {
      this.#lastWords = PANIC.exec(line)?.[0] ?? this.#lastWords;
      emscriptenOpts.printErr?.(line);
    };
    return { emscriptenOpts: { ...emscriptenOpts, printErr, onAbort: () => this.#onPanic(this.lastWords) } };
  }
}
