import type { Observer } from './observer.ts';

/**
 * Says what belonged together, and how long it took. Names and outcomes come from the code, methods and environments: never from people,
 * payloads, addresses or errors' texts.
 */
export interface Tracer {
  /** Runs `work` as a span: what begins in it are its children. Rejects as `work` does. */
  within<Result>(name: string, work: () => Promise<Result>): Promise<Result>;
  /** The observer, with a span for each thing that begins within another one. */
  spans<Outcome extends string>(kind: string, observe: Observer<Outcome>): Observer<Outcome>;
  /** Marks a moment of the span that is running. */
  mark(moment: string): void;
  /** Log fields that name the trace that is running. */
  fields(): object;
  /** Sends what wasn't sent yet. Never rejects. */
  stop(): Promise<void>;
}

/** For anyone who wants no traces: costs nothing. */
export const untraced: Tracer = {
  within: (_name, work) => work(),
  spans: (_kind, observe) => observe,
  mark: () => {},
  fields: () => ({}),
  stop: async () => {},
};
