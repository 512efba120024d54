/** Slack's limits, in characters or items (docs.slack.dev: "Block Kit", "Blocks", "Block elements", "Views", "chat.update"). */

export const MOST_MESSAGE_BLOCKS = 50;
export const SECTION_TEXT = 3_000;
export const HEADER_TEXT = 150;
/** Rows of a data table besides its header: some pages say 200, the first one 100. */
export const MOST_ROWS = 100;
export const MOST_COLUMNS = 20;
/** Slack allows more, but a row must leave room for others. */
export const DATA_CELL_TEXT = 120;
/** Characters in all cells: some pages say 20,000, the first one 10,000, and the rest of the message needs room. */
export const DATA_TABLE_TEXT = 9_000;
/** Also for the titles of axes. */
export const CHART_TITLE = 50;
export const CHART_LABEL = 20;
export const MOST_SERIES = 6;
export const MOST_POINTS = 20;
/** Undocumented; one of Slack's libraries has this limit. */
export const ALERT_TEXT = 200;
export const CONTAINER_TITLE = 150;
export const MOST_CHILDREN = 10;
export const BUTTON_TEXT = 75;
/** Slack allows 2,000, but up to seven buttons have the same filter, and rows need room, too (`BLOCKS_JSON`). */
export const BUTTON_VALUE = 1_000;
export const URL = 3_000;
export const OPTION_TEXT = 75;
export const OPTION_VALUE = 150;
export const MOST_OPTIONS = 100;
export const PLACEHOLDER_TEXT = 150;
export const BLOCK_ID = 255;
export const VIEW_TITLE = 24;
export const PRIVATE_METADATA = 3_000;
export const INPUT_TEXT = 3_000;

/** Documented for `chat.update`; `chat.postMessage` cuts only at 40,000. */
export const MESSAGE_TEXT = 4_000;

/** Undocumented: `msg_blocks_too_long` occurs from about 13,200 characters of JSON (slackapi/bolt-js #2509); the IDs that Slack adds count. */
export const BLOCKS_JSON = 12_400;
