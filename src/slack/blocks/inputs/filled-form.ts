export interface FilledForm {
  readonly blockIds: readonly string[];
  /** Text, the chosen option's value, a person's ID, or a time as HH:mm. Null if it's empty. */
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

export type FormErrors = { readonly [blockId: string]: string };
