/** A piece of a line of mrkdwn. All texts in it are unescaped plain text, never HTML. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code' | 'bold' | 'italic' | 'strike'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly url: string; readonly label: string }
  | { readonly kind: 'user' | 'channel' | 'usergroup'; readonly id: string; readonly label: string }
  | { readonly kind: 'broadcast'; readonly range: string }
  | {
      readonly kind: 'date';
      readonly timestamp: number;
      readonly format: string;
      readonly url: string | null;
      readonly fallback: string;
    }
  | { readonly kind: 'emoji'; readonly name: string };
