import type { AlertContent } from '../../../alerts/content.ts';
import type { SummaryContent } from '../../../reports/summary.ts';
import type { WeeklyContent } from '../../../reports/weekly.ts';
import type { SendingContent } from '../../../sendings/progress.ts';

/** What Notif posts by itself. */
export type Content = AlertContent | SummaryContent | WeeklyContent | SendingContent;
export type ContentOf<Kind extends Content['kind']> = Extract<Content, { kind: Kind }>;
