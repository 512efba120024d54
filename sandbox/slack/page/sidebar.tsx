import { type ReactNode, useId } from 'react';
import type { Conversation } from '../page-protocol.ts';
import { useWorkspace } from './workspace.ts';

interface SidebarProps {
  openId: string | undefined;
  unread: ReadonlyMap<string, number>;
  onOpen: (conversation: Conversation) => void;
  onActAs: (personId: string) => void;
}

export function Sidebar({ onActAs, ...shared }: SidebarProps): ReactNode {
  const { me, people, conversations, botConnected } = useWorkspace().snapshot;
  const ofKind = (kind: Conversation['kind']) => conversations.filter((each) => each.kind === kind);
  return (
    <div className="sidebar">
      <h1>Notif sandbox</h1>
      <p role="status" className={botConnected ? 'online' : 'offline'}>
        {people.find(({ isBot }) => isBot)?.name} is {botConnected ? 'connected' : 'not connected'}
      </p>
      <label className="act-as">
        Act as
        <select value={me.id} onChange={(event) => onActAs(event.target.value)}>
          {people
            .filter(({ isBot }) => !isBot)
            .map(({ id, name, standing }) => (
              <option key={id} value={id}>
                {standing === 'member' ? name : `${name} (${standing})`}
              </option>
            ))}
        </select>
      </label>
      <nav aria-label="Conversations">
        <Group {...shared} title="Channels" conversations={ofKind('channel')} />
        <Group {...shared} title="Direct messages" conversations={ofKind('direct')} />
      </nav>
    </div>
  );
}

interface GroupProps extends Omit<SidebarProps, 'onActAs'> {
  title: string;
  conversations: readonly Conversation[];
}

function Group({ title, conversations, openId, unread, onOpen }: GroupProps): ReactNode {
  const titleId = useId();
  return (
    <>
      <h2 id={titleId}>{title}</h2>
      <ul aria-labelledby={titleId}>
        {conversations.map((conversation) => (
          <li key={conversation.id}>
            <button
              type="button"
              aria-current={conversation.id === openId ? 'page' : undefined}
              onClick={() => onOpen(conversation)}
            >
              {titleOf(conversation)}
              {conversation.isArchived && <span title="Archived">🗄</span>}
              {(unread.get(conversation.id) ?? 0) > 0 && <span className="unread">{unread.get(conversation.id)}</span>}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

export const titleOf = ({ kind, name }: Conversation): string => (kind === 'channel' ? `#${name}` : name);
