import { boolean, byType, type Fields, named, type Schema, type Types, typed, word } from './shape.ts';

export const texts: Fields = {
  plain_text: typed('plain_text', { text: word }, { emoji: boolean }),
  mrkdwn: typed('mrkdwn', { text: word }, { verbatim: boolean }),
};

/** An object of one of the types, whose `text`, if it has one, has at most `max` characters. */
export const withText = (max: number, types: Types): Schema => ({
  ...byType(types),
  properties: { text: { maxLength: max } },
});

/** A text object of 1 to `max` characters: only plain text. */
export const plainText = (max: number): Schema => withText(max, named('plain_text'));
/** Plain text or markup. */
export const anyText = (max: number): Schema => withText(max, named('plain_text', 'mrkdwn'));
