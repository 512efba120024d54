/**
 * Called with a name when something begins; the returned function is called with how it ended. Used only for metrics: nothing may depend on
 * it.
 */
export type Observer<Outcome extends string = string> = (what: string) => (outcome: Outcome) => void;

/** Observes nothing, for callers without metrics. */
export const unobserved: Observer = () => () => {};
