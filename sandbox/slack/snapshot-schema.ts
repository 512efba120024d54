import { z } from 'zod';
import type { Snapshot } from './page-protocol.ts';

const json = z.record(z.string(), z.unknown());

const person = z.object({
  id: z.string(),
  name: z.string(),
  isBot: z.boolean(),
  standing: z.enum(['member', 'guest', 'other organization']),
});

const message = z.object({
  ts: z.string(),
  author: z.string(),
  text: z.string(),
  blocks: z.array(json),
  onlyVisibleTo: z.string().nullable(),
  threadTs: z.string().nullable(),
  files: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      title: z.string(),
      size: z.number(),
      mimetype: z.string(),
    }),
  ),
  mentionsMe: z.boolean(),
  edited: z.boolean(),
  edits: z.number(),
});

const conversation = z.object({
  id: z.string(),
  kind: z.enum(['channel', 'direct']),
  name: z.string(),
  isArchived: z.boolean(),
  takesMessages: z.boolean(),
  hasBot: z.boolean(),
  messages: z.array(message),
});

const starts = z.record(z.string(), z.record(z.string(), z.object({ since: z.string(), state: json })));

const view = z.object({ id: z.string(), view: json, starts, errors: z.record(z.string(), z.string()) });

/** Validates what one person sees of the workspace, for the page and transcripts. */
export const snapshotSchema: z.ZodType<Snapshot> = z.object({
  me: person.extend({ timeZone: z.string() }),
  people: z.array(person),
  userGroups: z.array(z.object({ id: z.string(), handle: z.string() })),
  conversations: z.array(conversation),
  views: z.array(view),
  home: view.nullable(),
  hasHome: z.boolean(),
  commands: z.array(z.object({ command: z.string(), description: z.string(), usageHint: z.string() })),
  shortcuts: z.array(z.object({ name: z.string(), callbackId: z.string(), type: z.enum(['global', 'message']) })),
  botConnected: z.boolean(),
});
