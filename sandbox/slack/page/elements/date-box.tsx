import type { CalendarDate, ZonedDateTime } from '@internationalized/date';
import type { ReactNode } from 'react';
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarHeading,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Popover,
  TimeField,
} from 'react-aria-components';
import { useWorkspace } from '../workspace.ts';
import { countSeconds, readDate, readMoment, readTime, wordTime } from './date-values.ts';
import { Framed, useField } from './field.tsx';
import { type Placed, useValue } from './placed.ts';
import { useDraft } from './use-draft.ts';

/** A date field: typed in parts, or picked from a calendar. */
export function DateBox(placed: Placed<'datepicker'>): ReactNode {
  const [value, choose] = useValue(placed);
  const draft = useDraft<CalendarDate>(readDate(value), (date) => choose(date?.toString() ?? null));
  return (
    <DatePicker {...useField(placed, 'Date')} {...draft}>
      <PickerParts />
    </DatePicker>
  );
}

/** A field for a date and a time of day, in the reader's time zone. */
export function MomentBox(placed: Placed<'datetimepicker'>): ReactNode {
  const [value, choose] = useValue(placed);
  const { timeZone } = useWorkspace().snapshot.me;
  const draft = useDraft<ZonedDateTime>(readMoment(value, timeZone), (moment) =>
    choose(moment && countSeconds(moment)),
  );
  return (
    <DatePicker {...useField(placed, 'Date and time')} {...draft} granularity="minute" hideTimeZone>
      <PickerParts />
    </DatePicker>
  );
}

/** A field for a time of day. */
export function TimeBox(placed: Placed<'timepicker'>): ReactNode {
  const [value, choose] = useValue(placed);
  const { onOpenChange: _, ...draft } = useDraft(readTime(value), (time) => choose(time && wordTime(time)));
  return (
    <TimeField {...useField(placed, 'Time')} {...draft}>
      <Framed>
        <div className="date-input">
          <Segments />
        </div>
      </Framed>
    </TimeField>
  );
}

/** Shows the typed parts: year, month, hour, … */
function Segments(): ReactNode {
  return <DateInput className="segments">{(segment) => <DateSegment segment={segment} />}</DateInput>;
}

function PickerParts(): ReactNode {
  return (
    <>
      <Framed>
        <Group className="date-input">
          <Segments />
          <Button className="icon">📅</Button>
        </Group>
      </Framed>
      <Popover className="popover">
        <Dialog>
          <Calendar className="calendar">
            <header>
              <Button slot="previous" className="icon">
                ‹
              </Button>
              <CalendarHeading />
              <Button slot="next" className="icon">
                ›
              </Button>
            </header>
            <CalendarGrid>{(date) => <CalendarCell date={date} />}</CalendarGrid>
          </Calendar>
        </Dialog>
      </Popover>
    </>
  );
}
