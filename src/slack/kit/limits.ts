/** Slack's limits, in characters or items (docs.slack.dev). */

export const MOST_MESSAGE_BLOCKS = 50;
export const SECTION_TEXT = 3_000;
export const HEADER_TEXT = 150;
/** Besides the header; some of Slack's pages say 200. */
export const MOST_ROWS = 100;
export const MOST_COLUMNS = 20;
/** Less than Slack's, to leave room. */
export const DATA_CELL_TEXT = 120;
/** In all cells: Slack's pages say 10,000 or 20,000. */
export const DATA_TABLE_TEXT = 9_000;
export const CHART_TITLE = 50;
export const CHART_LABEL = 20;
export const MOST_SERIES = 6;
export const MOST_POINTS = 20;
export const CONTAINER_TITLE = 150;
export const MOST_CHILDREN = 10;
export const BUTTON_TEXT = 75;
export const BUTTON_VALUE = 2_000;
export const URL = 3_000;
export const OPTION_TEXT = 75;
export const OPTION_VALUE = 150;
export const MOST_OPTIONS = 100;
export const PLACEHOLDER_TEXT = 150;
export const BLOCK_ID = 255;
export const VIEW_TITLE = 24;
export const INPUT_TEXT = 3_000;

/** Fits a section, also with people's names. */
export const MESSAGE_TEXT = 2_900;

/** `msg_blocks_too_long` occurs from about 13,200 with Slack's IDs (slackapi/bolt-js #2509). */
export const BLOCKS_JSON = 12_400;
