/**
 * Called when something begins, with its name; what it returns is called with how that ended. Only numbers come of it: nothing may depend on it.
 */
export type Observer<Outcome extends string = string> = (what: string) => (outcome: Outcome) => void;

/** For anyone who wants no numbers. */
export const unobserved: Observer = () => () => {};
