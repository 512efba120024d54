import { fileObject } from '../block-kit/file-object.ts';
import type { FileAnswer } from '../page-protocol.ts';
import type { SeedPerson } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';

/** 10 MB: a file_input's limit for each file (slack.md, section 1c). */
const MAX_BYTES = 10_000_000;

/** Adds a person's file to a form. It is uploaded at once, and is in the state of the form's file_input as Slack shows it to apps. */
export function attachFile(
  person: SeedPerson,
  { name, content }: { readonly name: string; readonly content: Buffer },
  slack: SlackState,
): FileAnswer {
  if (content.length > MAX_BYTES)
    return { ok: false, error: 'file_too_large', message: `${name} has more than 10 MB.` };
  const { id, ticket } = slack.files.announce(name, content.length);
  slack.files.receive(ticket, content);
  return { ok: true, file: { ...fileObject(slack.files.complete(id, name)), user: person.id } };
}
