import type { AlertContent } from '../../../alerts/content.ts';
import type { SummaryContent } from '../../../reports/summary.ts';
import type { SendingContent } from '../../../triggers/sending-kind.ts';

/** What Notif posts by itself. */
export type Content = AlertContent | SummaryContent | SendingContent;
export type ContentOf<Kind extends Content['kind']> = Extract<Content, { kind: Kind }>;
