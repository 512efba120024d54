import { type Fields, onlyOneOf, ref, text, typed } from './shape.ts';

/** The fields that the image block and the image element share. */
export const imageFields: Fields = { alt_text: text(2_000) };
export const imageSource: Fields = { image_url: text(3_000), slack_file: ref('slack_file') };
export const oneImageSource = onlyOneOf('image_url', 'slack_file');

export const images: Fields = { image_element: typed('image', imageFields, imageSource, oneImageSource) };
