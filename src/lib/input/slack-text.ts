import { straightened } from '../fold.ts';

/** Slack escapes `&`, `<` and `>`, and wraps what looks like an address; phones insert typographic characters. */
export function withoutSlackEscapes(text: string): string {
  const unwrapped = text.replace(
    /<((?:https?|mailto|tel):[^<>|\s]*)(?:\|([^<>]*))?>/g,
    (_, url: string, label?: string) => typed(url, label),
  );
  return straightened(unescaped(unwrapped));
}

/** Undoes Slack's three escapes, `&` last, so that `&amp;lt;` becomes `&lt;` and not `<`. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** `<@U0ANN|ann>` */
const REFERENCE = /<[@#!][^<>|\s]*\|([^<>]*)>/g;
const SIGN_OF_REFERENCE = /^[@#]?/;

/** Returns what was typed where Slack made a reference of text: `@ann`, `#oncall`. */
export function asText(value: string): string {
  return value.replace(REFERENCE, (reference: string, label: string) => {
    const sign = reference[1] === '#' ? '#' : '@';
    return label.replace(SIGN_OF_REFERENCE, sign);
  });
}

/** Returns the label if Slack made a link of what was typed (`anna@example.com`, `order.shipped`), else the pasted address. */
function typed(url: string, label: string | undefined): string {
  const bare = url.replace(/^(?:mailto:|tel:|https?:\/\/)/, '');
  return label === bare ? label : url.replace(/^(?:mailto|tel):/, '');
}
