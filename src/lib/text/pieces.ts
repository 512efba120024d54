import { MASK } from './mask.ts';
import { isStatus, isUnit, type TokenKind } from './tokens.ts';

/** A token as it is shown, or what is between two. `title`: a word with a capital letter that nothing knows. */
export interface Piece {
  text: string;
  is: TokenKind | 'title' | 'mask' | 'gap';
}

/** In a quote with something masked, a number belongs to it: a house, a code. An amount of money is a message's in any quote but a sentence. */
export function hideNumbers(pieces: Piece[], from: number, isSentence: boolean): void {
  const isMasked = pieces.some(({ is }, index) => index >= from && is === 'mask');
  for (let index = from; index < pieces.length; index++)
    if (isMasked || (!isSentence && isMoney(pieces, index))) hideNumber(pieces, index);
}

const CURRENCY =
  /^(?:[$€£¥₹]|usd|eur|gbp|chf|inr|brl|jpy|cny|pln|sek|nok|dkk|try|rub|mxn|cad|aud|ngn|kes|zar|euros?|dollars?|rupees?)$/i;

/** A currency stands in it or beside it: between two tokens there's a gap. */
const isMoney = (pieces: readonly Piece[], index: number): boolean =>
  /[$€£]/.test(pieces[index]?.text ?? '') || [-2, 2].some((step) => CURRENCY.test(pieces[index + step]?.text ?? ''));

function hideNumber(pieces: Piece[], index: number) {
  const { text = '', is } = pieces[index] ?? {};
  const isSafe = !isMoney(pieces, index) && (isStatus(text) || isUnit(pieces[index + 2]?.text ?? ''));
  if (is === 'number' && !isSafe) pieces[index] = { text: MASK, is: 'mask' };
}

/** As in a quote, behind a sign or in brackets, but only directly beside what is masked: `•••, IL 62704`. */
export function hideBeside(pieces: Piece[]): void {
  for (const [index, { is }] of pieces.entries()) {
    if (is !== 'mask') continue;
    if (isGap(pieces, index - 1)) hideNumber(pieces, index - 2);
    if (isGap(pieces, index + 1)) hideNumber(pieces, index + 2);
  }
}

/** Two unknown words in a row with a capital letter are a name, and so is one in a list with something masked: `•••;Vandermeer;` */
export function hideTitles(pieces: Piece[]): void {
  for (const [index, { is }] of pieces.entries()) {
    const isListedWithMask = (step: -1 | 1) =>
      /^[;|]$/.test(pieces[index + step]?.text ?? '') && pieces[index + 2 * step]?.is === 'mask';
    if (is === 'title' && (isListedWithMask(-1) || isListedWithMask(1))) pieces[index] = { text: MASK, is: 'mask' };
  }
  for (let index = 0; index < pieces.length; index++) {
    let end = index;
    while (pieces[end]?.is === 'title' && isGap(pieces, end + 1) && pieces[end + 2]?.is === 'title') end += 2;
    if (end > index) pieces.fill({ text: MASK, is: 'mask' }, index, end + 1);
    index = end;
  }
}

/** A comma, a blank, or both; before the first piece and after the last, there's none. */
const isGap = (pieces: readonly Piece[], index: number) => /^,? ?$/.test(pieces[index]?.text ?? '-');

/** Several masks in a row are one. */
export function joined(pieces: readonly Piece[]): string {
  let shown = '';
  let gap = '';
  let isMasked = false;
  for (const { text, is } of pieces) {
    if (is === 'gap') gap += text;
    else {
      const isMore = is === 'mask' && isMasked && /^[\s,.]*$/.test(gap);
      if (!isMore) shown += gap + text;
      gap = '';
      isMasked = is === 'mask';
    }
  }
  return shown + gap;
}
