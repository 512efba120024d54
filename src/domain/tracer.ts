import type { Observer } from './observer.ts';

/**
 * Records what belonged together, and how long it took. Names and outcomes come from the code, methods and environments, never from people,
 * payloads, addresses or error messages.
 */
export interface Tracer {
  /** Runs `work` as a span: spans that begin within it are its children. Rejects like `work`. */
  within<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** Wraps an observer with a span for each thing that begins within another. */
  spans<Outcome extends string>(kind: string, observe: Observer<Outcome>): Observer<Outcome>;
  /** Marks a moment of the current span. */
  mark(moment: string): void;
  /** Returns log fields that identify the current trace. */
  fields(): object;
  /** Sends what wasn't sent yet. Never rejects. */
  stop(): Promise<void>;
}

/** Records no traces and costs nothing. */
export const untraced: Tracer = {
  within: (_name, work) => work(),
  spans: (_kind, observe) => observe,
  mark: () => {},
  fields: () => ({}),
  stop: async () => {},
};
