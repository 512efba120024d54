/** The formats of strings. Their names are in refusals ('must be a valid time (HH:mm)'). */
export const FORMATS: Readonly<Record<string, RegExp>> = {
  'date (YYYY-MM-DD)': /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  'time (HH:mm)': /^([01]\d|2[0-3]):[0-5]\d$/,
  number: /^-?\d+(\.\d+)?$/,
  'https URL': /^https:\/\/[^\s/]/,
};
