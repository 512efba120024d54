import { buttons } from './buttons.ts';
import { images } from './images.ts';
import { fileInput, typedInputs } from './inputs.ts';
import { boxes, pickers } from './pickers.ts';
import { selects } from './selects.ts';
import { byType, type Fields, named, type Types } from './shape.ts';
import { withText } from './text.ts';

const pressed = named('button', 'workflow_button', 'overflow');
const picked = named(...Object.keys(selects), ...Object.keys(boxes), 'datepicker', 'timepicker');
const image: Types = { image: 'image_element' };
const moment = named('datetimepicker');
const asked = { ...named(...Object.keys(typedInputs)), ...picked, ...moment };

/** Every element by its type, and which of them are allowed where. */
export const elements: Fields = {
  ...buttons,
  ...selects,
  ...boxes,
  ...pickers,
  ...typedInputs,
  ...fileInput,
  ...images,
  accessory: byType({ ...pressed, ...picked, ...image }),
  /** `@slack/types` also allows rich_text_input here; Slack's pages allow it only in input blocks. */
  action: byType({ ...pressed, ...picked, ...moment }),
  input_element: byType(asked),
  /** File inputs are allowed only in modals. */
  modal_input_element: byType({ ...asked, ...named('file_input') }),
  context_element: withText(3_000, { ...image, ...named('plain_text', 'mrkdwn') }),
  context_action: byType(named('feedback_buttons', 'icon_button')),
};
