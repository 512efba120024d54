import type { ReactNode } from 'react';
import { DateInput, DateSegment, TimeField } from 'react-aria-components';
import { Framed, useField } from './field.tsx';
import { type Placed, useValue } from './placed.ts';
import { readTime, wordTime } from './time-values.ts';
import { useDraft } from './use-draft.ts';

/** A field for a time of day. */
export function TimeBox(placed: Placed<'timepicker'>): ReactNode {
  const [value, choose] = useValue(placed);
  const draft = useDraft(readTime(value), (time) => choose(time && wordTime(time)));
  return (
    <TimeField {...useField(placed, 'Time')} {...draft}>
      <Framed>
        <div className="date-input">
          <DateInput className="segments">{(segment) => <DateSegment segment={segment} />}</DateInput>
        </div>
      </Framed>
    </TimeField>
  );
}
