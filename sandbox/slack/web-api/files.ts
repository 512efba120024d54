import type { Arguments } from '../arguments.ts';
import { fileObject } from '../block-kit/file-object.ts';
import { isJson, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { invalidArguments, Refusal } from '../refusal.ts';
import { BOT } from '../seed.ts';
import type { File } from '../state/files.ts';
import type { Draft } from '../state/messages.ts';
import type { SlackState } from '../state/slack-state.ts';
import { acceptContent } from '../validate/message.ts';
import { writableChannel } from './known-channel.ts';
import { acceptThread, refuseReadOnly } from './posting.ts';

const ALT_TEXT_LIMIT = 1_000;

/** files.getUploadURLExternal: returns the URL for the upload. Slack treats a length of 0 as missing. */
export function getUploadUrl(args: Arguments, slack: SlackState): Json {
  const length = Number(args.required('length'));
  if (!Number.isInteger(length) || length < 0) throw invalidArguments('must be an integer [json-pointer:/length]');
  if (length === 0) throw new Refusal('missing_argument');
  // The method's page has `alt_txt`; Slack's own client sends `alt_text`.
  const altText = args.text('alt_txt') ?? args.text('alt_text') ?? null;
  if ((altText ?? '').length > ALT_TEXT_LIMIT) throw new Refusal('alt_txt_too_large');
  const { id, ticket } = slack.files.announce(args.required('filename'), length, altText);
  return { upload_url: `${slack.origin}/upload/v1/${ticket}`, file_id: id };
}

/** files.completeUploadExternal: completes all files or none. With a channel they appear there as one message. */
export function completeUpload(args: Arguments, slack: SlackState): Json {
  const wanted = wantedFiles(args);
  const places = targets(args).map((id) => acceptPlace(id, args, slack));
  if (wanted.some(({ id }) => !slack.files.isUploaded(id))) throw new Refusal('file_not_found');
  const files = wanted.map(({ id, title }) => slack.files.complete(id, title));
  for (const place of places) share(files, place, args, slack);
  return { files: files.map(fileObject) };
}

function wantedFiles(args: Arguments): readonly { readonly id: string; readonly title: string | undefined }[] {
  const files = args.structure('files');
  if (!Array.isArray(files) || files.length === 0) throw invalidArguments('missing required field: files');
  return files.filter(isJson).map((file) => ({ id: stringIn(file, 'id') ?? '', title: stringIn(file, 'title') }));
}

/** Empty if the files stay the bot's own. */
function targets(args: Arguments): readonly string[] {
  const listed = (args.text('channels') ?? '').split(',');
  return [args.text('channel_id') ?? '', ...listed].filter((id) => id !== '');
}

type Place = Pick<Draft, 'channel' | 'threadTs'>;

function acceptPlace(id: string, args: Arguments, slack: SlackState): Place {
  const channel = writableChannel(id, slack);
  refuseReadOnly(channel, slack);
  return { channel: id, threadTs: acceptThread(args, channel, slack) };
}

/** `blocks` are used only without an `initial_comment`. */
function share(files: readonly File[], place: Place, args: Arguments, slack: SlackState): void {
  const text = args.text('initial_comment') ?? '';
  const nothing = { text, blocks: [], attachments: [], metadata: null };
  const content = text === '' && args.has('blocks') ? acceptContent(args, slack.blockKit) : nothing;
  slack.messages.post({ ...content, ...place, author: BOT.userId, files });
}
