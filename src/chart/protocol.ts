/** What the thread answers to a `PictureRequest`. */
export type PictureAnswer =
  | { readonly png: Uint8Array }
  /** Why there is none. */
  | { readonly failure: string };
