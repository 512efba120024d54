export interface Logger {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

export type Observer = (what: string) => (outcome: string) => void;

export const unobserved: Observer = () => () => {};
