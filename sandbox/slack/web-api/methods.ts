import { type Arguments, invalidArguments, Refusal } from '../arguments.ts';
import { viewObject } from '../block-kit/objects.ts';
import { objectsIn, stringIn } from '../json.ts';
import type { Json } from '../page-protocol.ts';
import { APP_ID, BOT, ENTERPRISE, TEAM } from '../seed.ts';
import type { SlackState } from '../state.ts';
import * as chat from './chat.ts';
import * as conversations from './conversations.ts';
import * as users from './users.ts';

type ByArguments<T> = (args: Arguments, slack: SlackState) => T;

export interface Method {
  token: 'bot' | 'app' | 'none';
  /** The scope that the token needs; null if Slack requires none. */
  scope: ByArguments<string> | string | null;
  handler: ByArguments<Json>;
}

const bot = (scope: Method['scope'], handler: Method['handler']): Method => ({ token: 'bot', scope, handler });
const toRead = conversations.scopeFor('read');
const ofHistory = conversations.scopeFor('history');

export const METHODS: Readonly<Record<string, Method>> = {
  'apps.connections.open': { token: 'app', scope: 'connections:write', handler: openConnection },
  'auth.test': bot(null, authTest),
  'blocks.validate': { token: 'none', scope: null, handler: validateBlocks },
  'chat.postEphemeral': bot('chat:write', chat.postEphemeral),
  'chat.postMessage': bot('chat:write', chat.postMessage),
  'chat.update': bot('chat:write', chat.update),
  'chat.delete': bot('chat:write', chat.remove),
  'conversations.history': bot(ofHistory, conversations.history),
  'conversations.info': bot(toRead, conversations.info),
  'conversations.open': bot('im:write', conversations.open),
  'conversations.replies': bot(ofHistory, conversations.replies),
  'files.completeUploadExternal': bot('files:write', completeUpload),
  'files.getUploadURLExternal': bot('files:write', getUploadUrl),
  'usergroups.list': bot('usergroups:read', users.userGroups),
  'usergroups.users.list': bot('usergroups:read', users.userGroupMembers),
  'users.info': bot('users:read', users.userInfo),
  'views.open': bot(null, (args, slack) => showModal(args, slack, 'open')),
  'views.publish': bot(null, publishView),
  'views.push': bot(null, (args, slack) => showModal(args, slack, 'push')),
  'views.update': bot(null, updateView),
};

function openConnection(_args: Arguments, { manifest, origin, sockets }: SlackState): Json {
  if (!manifest.settings.socket_mode_enabled) throw new Refusal('socket_mode_not_enabled');
  return { url: `${origin.replace('http', 'ws')}/link/?ticket=${sockets.issueTicket()}` };
}

function authTest(_args: Arguments, { manifest, origin, isInEnterprise }: SlackState): Json {
  return {
    url: origin,
    team: TEAM.name,
    team_id: TEAM.id,
    user: manifest.display_information.name.toLowerCase(),
    user_id: BOT.userId,
    bot_id: BOT.botId,
    app_id: APP_ID,
    is_enterprise_install: false,
    ...(isInEnterprise && { enterprise_id: ENTERPRISE.id }),
  };
}

function validateBlocks(args: Arguments, { blockKit }: SlackState): Json {
  const [blocks, view] = [args.structure('blocks'), args.structure('view')];
  if ((blocks === undefined) === (view === undefined)) throw invalidArguments('provide either `blocks` or `view`');
  const problems = view === undefined ? blockKit.blocks(blocks, '') : blockKit.view(view, 'any', '');
  const errors = problems.map((problem) => ({ code: 'failed_constraint', ...problem }));
  if (errors.length > 0) throw new Refusal(view === undefined ? 'invalid_blocks' : 'invalid_view', { errors });
  return {};
}

function getUploadUrl(args: Arguments, slack: SlackState): Json {
  const length = Number(args.required('length'));
  if (length === 0) throw new Refusal('missing_argument');
  const { id, ticket } = slack.uploads.announce(args.required('filename'), length);
  return { upload_url: `${slack.origin}/upload/v1/${ticket}`, file_id: id };
}

function completeUpload(args: Arguments, slack: SlackState): Json {
  const wanted = objectsIn({ files: args.structure('files') }, 'files');
  if (wanted.length === 0) throw invalidArguments('missing required field: files');
  const channel = conversations.writableChannel(args.required('channel_id'), slack);
  const threadTs = chat.acceptThread(args, channel, slack);
  const files = slack.uploads.complete(
    wanted.map((file) => ({ id: stringIn(file, 'id') ?? '', title: stringIn(file, 'title') })),
  );
  slack.post({ channel: channel.id, threadTs, author: BOT.userId, text: args.text('initial_comment') ?? '', files });
  return { files };
}

function showModal(args: Arguments, slack: SlackState, how: 'open' | 'push'): Json {
  const view = slack.blockKit.acceptView(args.structure('view'), 'modal');
  const person = slack.triggers.redeem(args.required('trigger_id'));
  return { view: viewObject(slack.views[how](person, view)) };
}

function updateView(args: Arguments, slack: SlackState): Json {
  const view = slack.blockKit.acceptView(args.structure('view'), 'modal');
  const modal = slack.views.modal(args.required('view_id'));
  if (modal === undefined) throw new Refusal('not_found');
  return { view: viewObject(slack.views.update(modal, view) ?? modal) };
}

function publishView(args: Arguments, slack: SlackState): Json {
  const view = slack.blockKit.acceptView(args.structure('view'), 'home');
  const person = slack.person(args.required('user_id'));
  if (person === undefined) throw invalidArguments('invalid `user_id`');
  return { view: viewObject(slack.views.publish(person.id, view)) };
}
