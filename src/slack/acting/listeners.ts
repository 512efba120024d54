import type { ActedOn, ActSubject } from '../../domain/acting.ts';
import {
  type AcknowledgingStore,
  acknowledgeGroup,
  takeAcknowledgementBack,
} from '../../use-cases/acknowledge-group.ts';
import type { ActParts } from '../../use-cases/act-on-group.ts';
import { type MutingStore, muteGroup, unmuteGroup } from '../../use-cases/mute-group.ts';
import { type ResolvingStore, resolveIncident } from '../../use-cases/resolve-incident.ts';
import { type ZoneParts, zoneOfPerson } from '../../use-cases/workspace.ts';
import { ACT, type GroupAct, readAct, readSubject } from '../blocks/group-menu.ts';
import { resultView } from '../blocks/view.ts';
import { actionDoor, type Door, doorsFor, OldButtonError, type Surface } from '../doors/door.ts';
import type { ActionGesture, SubmissionGesture } from '../doors/gesture.ts';
import { inModal } from '../doors/in-modal.ts';
import type { ErrorParts } from '../on-error.ts';
import { type ListParts, listDoors, showAffected, showEvents } from './list-listeners.ts';
import {
  acknowledgingMessage,
  FORGOTTEN,
  mutingMessage,
  nowMessage,
  resolvingMessage,
  SHOW_NOW,
  takingBackMessage,
  unmutingMessage,
} from './message.ts';
import { MUTE_FORM, MUTE_TITLE, type MuteForm, muteView, readLength, readMuteForm } from './mute-modal.ts';

export type ActingParts = ErrorParts &
  ListParts &
  ZoneParts &
  ActParts<AcknowledgingStore & ResolvingStore & MutingStore & ListParts['store']>;

/** The menu of a group's row, and what its entries open. */
export function actingDoors(parts: ActingParts): Door[] {
  return [
    ...doorsFor('members', [
      actionDoor(ACT, readAct, ({ act, subject }, gesture) => ACTS[act](subject, gesture, parts)),
      actionDoor(SHOW_NOW, readSubject, (subject, gesture) => showNow(subject, gesture, parts)),
      muteDoor(parts),
    ]),
    ...listDoors(parts),
  ];
}

type Act = (subject: ActSubject, gesture: ActionGesture, parts: ActingParts) => Promise<void>;

const ACTS: { readonly [One in GroupAct]: Act } = {
  acknowledge: async (subject, { userId, reply }, parts) =>
    reply.show(acknowledgingMessage(await acknowledgeGroup(subject, userId, parts), subject, parts.now())),
  'take-back': async (subject, { userId, reply }, parts) =>
    reply.show(takingBackMessage(await takeAcknowledgementBack(subject, userId, parts), subject, parts.now())),
  resolve: async (subject, { userId, reply }, parts) =>
    reply.show(resolvingMessage(await resolveIncident(subject, userId, parts))),
  mute: (subject, gesture, parts) => openMute(subject, gesture, parts),
  unmute: async (subject, { userId, reply }, parts) =>
    reply.show(unmutingMessage(await unmuteGroup(subject, userId, parts))),
  events: showEvents,
  affected: showAffected,
};

async function showNow(subject: ActSubject, { reply }: ActionGesture, { store, now }: ActingParts): Promise<void> {
  const on = await store.actedOn(subject, now());
  await reply.show(on === null ? FORGOTTEN : nowMessage(on, subject.deliveryId));
}

async function openMute(subject: ActSubject, gesture: ActionGesture, parts: ActingParts): Promise<void> {
  const { store, now } = parts;
  const { userId } = gesture;
  await inModal(
    gesture,
    MUTE_TITLE,
    async () => {
      const on = await store.actedOn(subject, now());
      if (on === null || !hasWatch(on)) {
        return resultView(mutingMessage({ is: on === null ? 'forgotten' : 'watch-ended' }), MUTE_TITLE);
      }
      const timeZone = (await zoneOfPerson(userId, parts)) ?? on.watch.settings.timeZone;
      return muteView(on, { subject, answerUrl: gesture.answerUrl }, { timeZone, now: now() });
    },
    parts,
  );
}

function hasWatch(on: ActedOn): on is ActedOn & { readonly watch: NonNullable<ActedOn['watch']> } {
  return on.watch !== null;
}

function muteDoor(parts: ActingParts): Surface {
  return {
    surface: 'view',
    callbackId: MUTE_FORM,
    draft: null,
    take: (view) => {
      const form = readMuteForm(view.privateMetadata);
      const length = readLength(view.valueIn);
      if (form === null || length === null) throw new OldButtonError();
      return {
        is: 'taken',
        next: null,
        answer: async (gesture) => {
          const done = await muteGroup(form.subject, length, gesture.userId, parts);
          await replyTo(form, gesture).show(mutingMessage(done));
        },
      };
    },
  };
}

function replyTo({ answerUrl }: MuteForm, gesture: SubmissionGesture) {
  return answerUrl === null ? gesture.reply : gesture.replyAt(answerUrl);
}
