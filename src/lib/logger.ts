export type Logger = Record<'debug' | 'info' | 'warn' | 'error', (fields: object, sentence: string) => void>;

export type Observer = (what: string) => (outcome: string) => void;

export const unobserved: Observer = () => () => {};
