import { eq } from 'drizzle-orm';
import { z } from 'zod';
import { incidents } from '../incidents/tables.ts';
import { fingerprintOf } from '../lib/text/hash.ts';
import type { MessageKind } from '../outbox/kinds.ts';
import { type Progress, progressOf, type SentTo } from './progress.ts';
import { type Sending, sendingIdIn, sendingOf } from './sending-rows.ts';

interface TestContent {
  kind: 'test';
  id: string;
  channel: string;
  sending: Sending;
  tested: readonly SentTo[];
}

interface ResendContent extends Omit<Progress, 'tested'> {
  kind: 'resend';
  id: string;
  channel: string;
  sending: Sending;
  incidentId: number;
  /** Null: the incident is no longer kept. */
  code: string | null;
}

/** A test, or an incident's notifications sent again, and how it goes. */
export type SendingContent = TestContent | ResendContent;

export const sendingKind: MessageKind<SendingContent> = {
  Kept: z.object({}),
  mustArrive: false,
  async draw(db, message) {
    const { id, channel, owner } = message;
    const sending = await sendingOf(db, sendingIdIn(owner ?? ''));
    if (sending === null) return { is: 'untrue', why: 'the sending is no longer kept' };
    const { tested, ...progress } = await progressOf(db, sending);
    const { incidentId } = sending;
    const drawn = { is: 'drawn', said: [], knownBy: fingerprintOf(owner), nextAt: null } as const;
    if (incidentId === null) return { ...drawn, content: { kind: 'test', id, channel, sending, tested } };
    const [incident] = await db.select({ code: incidents.code }).from(incidents).where(eq(incidents.id, incidentId));
    const code = incident?.code ?? null;
    const content: ResendContent = { kind: 'resend', id, channel, sending, incidentId, code, ...progress };
    return { ...drawn, content };
  },
};
