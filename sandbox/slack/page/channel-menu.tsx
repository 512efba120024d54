import type { ReactNode } from 'react';
import type { ChannelChange, Conversation } from '../page-protocol.ts';
import { Menu } from './menu.tsx';
import { useWorkspace } from './workspace.ts';

/** Shows what a person can do with a channel, which a bot has to cope with. */
export function ChannelMenu({ conversation }: { readonly conversation: Conversation }): ReactNode {
  const { send } = useWorkspace();
  if (conversation.kind === 'direct') return null;
  const items = changesOf(conversation).map(([change, name]) => ({
    id: change,
    name,
    choose: () => void send({ do: 'change-channel', channel: conversation.id, change }),
  }));
  return <Menu label="Channel" face="⋮" items={items} />;
}

function changesOf({ isArchived, hasBot }: Conversation): readonly (readonly [ChannelChange, string])[] {
  if (isArchived) return [['unarchive', 'Take out of the archive']];
  return [hasBot ? ['remove-bot', 'Remove the app'] : ['invite-bot', 'Invite the app'], ['archive', 'Archive']];
}
