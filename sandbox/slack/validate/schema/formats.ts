/** The formats of strings. Their names are in refusals ('must be a valid time (HH:mm)'). */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  'time (HH:mm)': /^([01]\d|2[0-3]):[0-5]\d$/,
};
