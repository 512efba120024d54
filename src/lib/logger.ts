export interface Logger {
  debug(fields: object, sentence: string): void;
  info(fields: object, sentence: string): void;
  warn(fields: object, sentence: string): void;
  error(fields: object, sentence: string): void;
}

export type Observer<Outcome extends string = string> = (what: string) => (outcome: Outcome) => void;

export const unobserved: Observer = () => () => {};
