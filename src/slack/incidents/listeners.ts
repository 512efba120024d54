import { type ActedOn, type ActSubject, isOver } from '../../domain/incidents/incident-actions.ts';
import {
  type AcknowledgingStore,
  acknowledgeGroup,
  takeAcknowledgementBack,
} from '../../use-cases/incidents/acknowledge-incident.ts';
import type { ActParts } from '../../use-cases/incidents/act-on-incident.ts';
import { type AssigningStore, assignIncident } from '../../use-cases/incidents/assign-incident.ts';
import { type MutingStore, muteGroup, unmuteGroup } from '../../use-cases/incidents/mute-group.ts';
import { type ResolvingStore, resolveIncident } from '../../use-cases/incidents/resolve-incident.ts';
import { type ZoneParts, zoneOfPerson } from '../../use-cases/ports/workspace.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import { ACT, type GroupAct, readAct, readSubject } from '../blocks/incident/incident-menu.ts';
import { resultView } from '../blocks/view.ts';
import { inModal } from '../interactions/in-modal.ts';
import type { ActionGesture, FilledView } from '../interactions/interaction.ts';
import type { ErrorParts } from '../interactions/on-error.ts';
import { actionDoor, type Door, doorsFor, OldButtonError, type Surface } from '../interactions/route.ts';
import { ASSIGN_FORM, ASSIGN_TITLE, assignView, readAssignee } from './assign-modal.ts';
import { readGroupForm } from './group-form-modal.ts';
import { type ListParts, listDoors, showAffected, showEvents } from './list-listeners.ts';
import {
  acknowledgingMessage,
  assignedToYou,
  assigningMessage,
  FORGOTTEN,
  mutingMessage,
  nowMessage,
  resolvingMessage,
  SHOW_NOW,
  takingBackMessage,
  unmutingMessage,
  yourAcknowledgmentTakenBack,
} from './message.ts';
import { MUTE_FORM, MUTE_TITLE, muteView, readLength } from './mute-modal.ts';
import { TAKE_BACK_FORM, TAKE_BACK_TITLE, takeBackView } from './unacknowledge-modal.ts';

export type ActingParts = ErrorParts &
  ListParts &
  ZoneParts &
  ActParts<AcknowledgingStore & AssigningStore & ResolvingStore & MutingStore & ListParts['store']> & {
    /** Says something in a channel, or to a person in their direct messages with Notif. Rejects with Slack's error. */
    readonly tellChannel: (channelOrPerson: string, content: MessageContent) => Promise<void>;
  };

/** The menu of a group's row, and what its entries open. */
export function actingDoors(parts: ActingParts): Door[] {
  return [
    ...doorsFor('members', [
      actionDoor(ACT, readAct, ({ act, subject }, gesture) => ACTS[act](subject, gesture, parts)),
      actionDoor(SHOW_NOW, readSubject, (subject, gesture) => showNow(subject, gesture, parts)),
      formDoor(MUTE_FORM, readLength, async (subject, length, by) =>
        mutingMessage(await muteGroup(subject, length, by, parts)),
      ),
      formDoor(ASSIGN_FORM, readAssignee, (subject, to, by) => assigned(subject, { to, by }, parts)),
      formDoor(
        TAKE_BACK_FORM,
        () => true,
        (subject, _confirmed, by) => takenBack(subject, by, parts),
      ),
    ]),
    ...listDoors(parts),
  ];
}

type Act = (subject: ActSubject, gesture: ActionGesture, parts: ActingParts) => Promise<void>;

const ACTS: { readonly [One in GroupAct]: Act } = {
  acknowledge: async (subject, { userId, reply }, parts) =>
    reply.show(acknowledgingMessage(await acknowledgeGroup(subject, userId, parts), subject, parts.now())),
  'take-back': takeBack,
  assign: (subject, gesture, parts) => openAssign(subject, gesture, parts),
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

/** One's own acknowledgment is taken back at once, somebody else's after a question. */
async function takeBack(subject: ActSubject, gesture: ActionGesture, parts: ActingParts): Promise<void> {
  const { store, now } = parts;
  const form = { subject, answerUrl: gesture.answerUrl };
  await inModal(
    gesture,
    TAKE_BACK_TITLE,
    async () => {
      const on = await store.actedOn(subject, now());
      const by = on?.episode.acknowledged?.by ?? gesture.userId;
      if (on !== null && by !== gesture.userId && !isOver(on)) return takeBackView(on, form);
      return resultView(await takenBack(subject, gesture.userId, parts), TAKE_BACK_TITLE);
    },
    parts,
  );
}

async function takenBack(subject: ActSubject, userId: string, parts: ActingParts): Promise<MessageContent> {
  const done = await takeAcknowledgementBack(subject, userId, parts);
  if (done.is === 'done' && done.acknowledged.by !== userId) {
    await inform(done.acknowledged.by, yourAcknowledgmentTakenBack(done.on, userId), parts);
  }
  return takingBackMessage(done, subject, parts.now());
}

/** Says something to somebody in their direct messages with Notif; false where Slack doesn't take that. */
async function inform(
  person: string,
  content: MessageContent,
  { tellChannel, logger }: Pick<ActingParts, 'tellChannel' | 'logger'>,
): Promise<boolean> {
  try {
    await tellChannel(person, content);
    return true;
  } catch (err) {
    logger.warn({ err, person }, 'a person could not be sent a direct message');
    return false;
  }
}

async function openAssign(subject: ActSubject, gesture: ActionGesture, parts: ActingParts): Promise<void> {
  const { store, now } = parts;
  await inModal(
    gesture,
    ASSIGN_TITLE,
    async () => {
      const on = await store.actedOn(subject, now());
      if (on === null) return resultView(FORGOTTEN, ASSIGN_TITLE);
      return assignView(on, { subject, answerUrl: gesture.answerUrl }, gesture.userId);
    },
    parts,
  );
}

/** Assigns, informs whoever has it now, and says so. */
async function assigned(
  subject: ActSubject,
  { to, by }: { readonly to: string; readonly by: string },
  parts: ActingParts,
): Promise<MessageContent> {
  const done = await assignIncident(subject, { to, by }, parts);
  const isInformed = done.is !== 'done' || to === by || (await inform(to, assignedToYou(done.on, by), parts));
  return assigningMessage(done, subject, isInformed);
}

/** A submitted form of a row's menu: `read` takes what was typed, null where a form of this version can't be without it. */
function formDoor<Typed>(
  callbackId: string,
  read: (valueIn: FilledView['valueIn']) => Typed | null,
  act: (subject: ActSubject, typed: Typed, userId: string) => Promise<MessageContent>,
): Surface {
  return {
    surface: 'view',
    callbackId,
    draft: null,
    take: (view) => {
      const form = readGroupForm(view.privateMetadata);
      const typed = read(view.valueIn);
      if (form === null || typed === null) throw new OldButtonError();
      return {
        is: 'taken',
        next: null,
        answer: async (gesture) => {
          const reply = form.answerUrl === null ? gesture.reply : gesture.replyAt(form.answerUrl);
          await reply.show(await act(form.subject, typed, gesture.userId));
        },
      };
    },
  };
}
