import type { BenchResult } from './result.ts';

/** The benchmarks by name, in the order in which they run. Each is loaded only by the process that measures it. */
export const BENCHMARKS: Readonly<Record<string, () => Promise<BenchResult>>> = {
  client: async () => (await import('./client.ts')).measure(),
  poll: async () => (await import('./poll.ts')).measure(),
  memory: async () => (await import('./memory.ts')).measure(),
  announcing: async () => (await import('./announcing.ts')).measure(),
  aging: async () => (await import('./aging.ts')).measure(),
  ready: async () => (await import('./ready.ts')).measure(),
  acknowledgment: async () => (await import('./acknowledgment.ts')).measure(),
};
