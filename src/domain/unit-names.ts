/** The units of time that are typed after a number, as a pattern in lower case; the first letter says which. */
export const UNIT_NAMES = '(?:s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)';
