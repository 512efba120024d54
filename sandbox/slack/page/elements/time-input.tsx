import { format } from 'date-fns';
import type { ReactNode } from 'react';
import { marks, type Placed, useValue } from './placed.ts';

type TimeType = 'datepicker' | 'timepicker' | 'datetimepicker';

const inputTypes = { datepicker: 'date', timepicker: 'time', datetimepicker: 'datetime-local' } as const;

/** A date, a time, or both: the browser's own pickers. */
export function TimeInput(placed: Placed<TimeType>): ReactNode {
  const { element, aria } = placed;
  const [value, choose] = useValue(placed);
  return (
    <input
      {...aria}
      {...marks(placed)}
      type={inputTypes[element.type]}
      value={toInput(value)}
      onChange={(event) => choose(fromInput(element.type, event.target.value))}
    />
  );
}

/** Slack counts a date and time in seconds since 1970, the browser's input words it in local time. */
function toInput(value: unknown): string {
  return typeof value === 'number'
    ? format(value * 1000, "yyyy-MM-dd'T'HH:mm")
    : typeof value === 'string'
      ? value
      : '';
}

function fromInput(type: TimeType, words: string): string | number | null {
  if (words === '') return null;
  return type === 'datetimepicker' ? Math.floor(new Date(words).getTime() / 1000) : words;
}
