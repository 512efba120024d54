/** V8 compiles a function at its first call. Validated then, too, the 9 MB of PGlite are ready in a quarter of the CPU time. */
const VALIDATED_LATE = '--wasm-lazy-validation';

/** Node 20's V8 optimizes a function after a seventh of what later ones wait for, on four threads that a start then competes with. */
const OPTIMIZED_LATE = ['--wasm-tiering-budget=13000000'];

/**
 * V8 as of Node 24 takes 600 MB and 1.5 s to optimize a single one of PostgreSQL's functions (nodejs/node#63421). Without optimized code, a
 * poll of 20,000 failures takes as much CPU time, and later ones up to 1.3 times.
 */
const NOT_OPTIMIZED = ['--liftoff-only', '--no-wasm-tier-up', '--no-wasm-dynamic-tiering'];
const NOT_OPTIMIZED_FROM = 24;

/** Returns V8's flags for the embedded database in a version of Node, such as 24.21.0. They apply to what is compiled later. */
export function wasmFlags(nodeVersion: string): readonly string[] {
  const isBounded = Number.parseInt(nodeVersion, 10) < NOT_OPTIMIZED_FROM;
  return [VALIDATED_LATE, ...(isBounded ? OPTIMIZED_LATE : NOT_OPTIMIZED)];
}
