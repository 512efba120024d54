import { buttons } from './buttons.ts';
import { images } from './images.ts';
import { typedInputs } from './inputs.ts';
import { boxes, pickers } from './pickers.ts';
import { selects } from './selects.ts';
import { byType, type Fields, named, type Types } from './shape.ts';
import { withText } from './text.ts';

const pressed = named('button', 'overflow');
const picked = named(...Object.keys(selects), ...Object.keys(boxes), 'timepicker');
const image: Types = { image: 'image_element' };
const asked = { ...named(...Object.keys(typedInputs)), ...picked };

/** Every element by its type, and which of them are allowed where. */
export const elements: Fields = {
  ...buttons,
  ...selects,
  ...boxes,
  ...pickers,
  ...typedInputs,
  ...images,
  accessory: byType({ ...pressed, ...picked, ...image }),
  action: byType({ ...pressed, ...picked }),
  input_element: byType(asked),
  context_element: withText(3_000, { ...image, ...named('plain_text', 'mrkdwn') }),
};
