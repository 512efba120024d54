import { type Arguments, invalidArguments, Refusal } from '../arguments.ts';
import { fileObject } from '../block-kit/objects.ts';
import { isJson, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { BOT } from '../seed.ts';
import type { SlackState } from '../state/slack-state.ts';
import { writableChannel } from './channels.ts';
import { acceptThread } from './chat.ts';

/** files.getUploadURLExternal: returns the URL for the upload. Slack treats a length of 0 as missing. */
export function getUploadUrl(args: Arguments, slack: SlackState): Json {
  const length = Number(args.required('length'));
  if (!Number.isInteger(length) || length < 0) throw invalidArguments('must be an integer [json-pointer:/length]');
  if (length === 0) throw new Refusal('missing_argument');
  const { id, ticket } = slack.files.announce(args.required('filename'), length);
  return { upload_url: `${slack.origin}/upload/v1/${ticket}`, file_id: id };
}

/** files.completeUploadExternal: completes all files or none. They appear in the channel as one message. */
export function completeUpload(args: Arguments, slack: SlackState): Json {
  const wanted = wantedFiles(args);
  const channel = writableChannel(args.required('channel_id'), slack);
  const threadTs = acceptThread(args, channel, slack);
  if (wanted.some(({ id }) => !slack.files.isUploaded(id))) throw new Refusal('file_not_found');
  const files = wanted.map(({ id, title }) => slack.files.complete(id, title));
  const nothing = { text: args.text('initial_comment') ?? '', blocks: [], attachments: [], metadata: null };
  slack.messages.post({ ...nothing, channel: channel.id, threadTs, author: BOT.userId, files });
  return { files: files.map(fileObject) };
}

function wantedFiles(args: Arguments): readonly { readonly id: string; readonly title: string | undefined }[] {
  const files = args.structure('files');
  if (!Array.isArray(files) || files.length === 0) throw invalidArguments('missing required field: files');
  return files.filter(isJson).map((file) => ({ id: stringIn(file, 'id') ?? '', title: stringIn(file, 'title') }));
}
