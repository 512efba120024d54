/** The thread's answer to a `PictureRequest`. */
export type PictureAnswer =
  | { readonly png: Uint8Array }
  /** Why there is no picture. */
  | { readonly failure: string };
