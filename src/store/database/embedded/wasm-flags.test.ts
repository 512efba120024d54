import { expect, test } from 'vitest';
import { wasmFlags } from './wasm-flags.ts';

test.each([
  ['20.19.0', true],
  ['22.13.0', true],
  ['24.0.0', false],
  ['26.1.0', false],
])('Node %s optimizes the embedded database: %s', (version, isOptimized) => {
  const flags = wasmFlags(version);
  expect(flags).toContain('--wasm-lazy-validation');
  expect(flags.includes('--liftoff-only')).toBe(!isOptimized);
  expect(flags.some((flag) => flag.startsWith('--wasm-tiering-budget='))).toBe(isOptimized);
});
