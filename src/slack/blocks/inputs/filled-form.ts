export interface FilledForm {
  /** The IDs of the blocks that can be filled in. */
  readonly blockIds: readonly string[];
  /** Returns the content of an input block: text, the chosen option's value, a person's ID, or a time as HH:mm. Null if it's empty. */
  valueIn(blockId: string): string | null;
  valuesIn(blockId: string): readonly string[];
}

export type FormErrors = { readonly [blockId: string]: string };
