import { readFile } from 'node:fs/promises';

/** Node's types have it as a type alone. */
declare const WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };

/**
 * V8 compiles the same WebAssembly once for all the threads of a process, for as long as one of them holds on to it. The tests of a process
 * open one embedded database after the other, each in a thread of its own: kept here, PGlite is compiled for the first one alone, and the
 * others open with half the CPU time.
 */
const KEPT = Symbol.for('notif.test.pglite');

if (!(KEPT in globalThis)) {
  const compiled = readFile(new URL('./pglite.wasm', import.meta.resolve('@electric-sql/pglite'))).then((file) =>
    WebAssembly.compile(file),
  );
  Object.assign(globalThis, { [KEPT]: compiled });
}
