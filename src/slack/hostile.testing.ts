import fc from 'fast-check';
import type { LineEvent } from '../alerts/content.ts';
import type { EnvironmentChange } from '../changes/change.ts';
import { aChange, aDeploy, anIntegrationChange, aWorkflowChange } from '../changes/changes.testing.ts';
import type { IncidentNow, Note } from '../incidents/incident.ts';
import type { IncidentAct, Occurrence } from '../incidents/timeline.ts';
import { sentenceIn } from '../judging/cause.ts';
import { Phone } from '../lib/input/phone.ts';
import { aContact, type ContactId } from '../lib/text/contact-ids.testing.ts';
import { Payload } from '../lib/text/payload.ts';
import { FreeText, scrub } from '../lib/text/scrub.ts';
import { aDetail, aJob, anEvent, aSubscriber } from '../service/event.testing.ts';
import type { TriggeredEvent } from '../service/event.ts';
import { aMessage } from '../service/lists.testing.ts';
import type { Message } from '../service/lists.ts';
import { USUAL_SETTINGS } from '../watches/settings.ts';
import { aWatch } from '../watches/watch.testing.ts';
import type { Handover } from './features/incidents/handover.ts';
import { anIncident, at, NOON, PRODUCTION } from './slack.testing.ts';

const WHOLE_MUTE = { provider: null, workflow: null, isPlanned: false, from: NOON };

/** Data that a hostile service could send: every ID and name is a contact, every private field a unique word. */
export interface Hostile {
  contact: ContactId;
  payload: string;
  raw: string;
  hasEventId: boolean;
}

const secret = (kind: string) => fc.stringMatching(/^[a-z]{12}$/).map((letters) => `${kind}${letters}`);

export const hostile: fc.Arbitrary<Hostile> = fc.record({
  contact: aContact(),
  payload: secret('payload'),
  raw: secret('raw'),
  hasEventId: fc.boolean(),
});

const PHONE = '+49 151 1234567';
const EVENT_ID = '65f000000000000000000001';
export const BY = 'U0ANN';
export const window = { from: NOON, to: at(60) };

export function eventOf({ contact: { id }, payload, raw, hasEventId }: Hostile): TriggeredEvent {
  const detail = aDetail({
    detail: `Mailbox of ${id} is full`,
    raw: JSON.stringify({ response: { trace: raw } }),
    provider: id,
  });
  return anEvent({
    id: hasEventId ? EVENT_ID : null,
    mergedInto: hasEventId ? null : id,
    transactionId: id,
    subscriber: aSubscriber(id, { initials: 'A. L.', maskedEmail: 'a•••@example.com', phone: new Phone(PHONE) }),
    workflow: { id, identifier: id, name: id, variables: [] },
    topicKeys: [id],
    contextKeys: [id],
    tags: [id],
    severity: id,
    payload: new Payload({ [payload]: payload, email: id }),
    jobs: [
      aJob({ status: 'failed', details: [detail], stepName: id, provider: id, overrides: new Payload({ [id]: raw }) }),
      aJob({ id: 'job-2', type: id, status: id, details: [] }),
    ],
  });
}

export function messageOf({ contact: { id } }: Hostile): Message {
  return aMessage({
    transactionId: id,
    subscriber: aSubscriber(id),
    workflow: id,
    provider: id,
    errorText: new FreeText(`${id} was refused`),
  });
}

const noteWith = ({ contact: { id } }: Hostile): Note => ({ actor: BY, at: NOON, text: scrub(`Ask ${id} first`) });

export function changesOf({ contact: { id } }: Hostile): readonly EnvironmentChange[] {
  const whats = [
    anIntegrationChange({ name: id, provider: id, channel: id, aspects: ['renamed', 'deactivated'] }),
    aWorkflowChange({ name: id, identifier: id }),
    aDeploy({ name: id }),
  ];
  return whats.map((what, index) => aChange({ id: index, what }));
}

export function incidentOf(data: Hostile, change: Partial<IncidentNow> = {}): IncidentNow {
  const { contact, hasEventId } = data;
  const { id } = contact;
  const workflow = { workflow: id, workflowName: id, failures: 24, critical: hasEventId };
  return anIncident({
    provider: id,
    channel: id,
    cause: { key: id, text: causeFor(id) },
    example: { eventId: hasEventId ? EVENT_ID : null, transactionId: id, subscriberId: id },
    workflows: [workflow, workflow].map((each) => ({ ...each, attempts: { failed: 4, tried: 5 } })),
    shared: { label: { kind: 'tag', value: id }, events: 40, total: 48, isOfNewest: false, usually: 0.1 },
    changedBefore: changesOf(data).slice(hasEventId ? 0 : 1),
    acknowledged: { actor: BY, at: NOON },
    formerly: { actor: BY, at: NOON },
    note: hasEventId ? noteWith(data) : null,
    lastTime: { from: at(-900), note: noteWith(data) },
    ...change,
  });
}

export const causeFor = (id: string): string => sentenceIn(new FreeText(`Mailbox of ${id} is full`));

export function incidentsOf(data: Hostile): IncidentNow[] {
  return [
    incidentOf(data),
    incidentOf(data, { id: 2, acknowledged: null, outbreak: 3 }),
    incidentOf(data, { id: 3, state: { is: 'resolved', actor: BY, at: at(60) }, assignedTo: BY }),
  ];
}

export function happenedTo(data: Hostile): readonly LineEvent[] {
  const { contact } = data;
  const ended = { failures: 48, subscribers: 47, isAtLeast: false, verdicts: [] };
  const changes: readonly (IncidentAct | Occurrence)[] = [
    { action: 'acknowledged' },
    { action: 'unacknowledged' },
    { action: 'assigned', to: BY },
    { action: 'incident-muted', until: at(900) },
    { action: 'noted', text: noteWith(data).text },
    { action: 'resolved' },
    { action: 'began', failedAt: NOON, workflow: contact.id, critical: true },
    { action: 'ended', ending: 'recovered', ...window, ...ended },
    { action: 'cause-clear', headline: causeFor(contact.id) },
  ];
  return changes.map((change, id) => {
    return { is: 'entry', entry: { id, incidentId: 1, at: NOON, actor: BY, channel: 'C0ONCALL', outbreak: 1, change } };
  });
}

export function watchOf({ contact: { id } }: Hostile) {
  const named = { workflows: [id], topics: [id], providers: [id], subscribers: [id], channels: [id], severities: [id] };
  const filter = { ...USUAL_SETTINGS.filter, ...named };
  return aWatch({ settings: { ...USUAL_SETTINGS, filter } });
}

export function handoverOf(data: Hostile): Handover {
  const { id } = data.contact;
  const resolved = { items: incidentsOf(data), more: 0 };
  const incident = { id: 7, environment: 'production', channel: id, provider: id };
  return {
    range: window,
    environments: [{ environment: PRODUCTION, checkedTo: NOON, missing: [window] }],
    open: { ...resolved, unowned: 1 },
    resolved,
    mutes: [{ channel: 'C0ONCALL', incident, watches: 1, actor: BY, ...WHOLE_MUTE, until: at(900) }],
  };
}
