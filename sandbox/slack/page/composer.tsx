import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Conversation, PageAct } from '../page-protocol.ts';
import { Menu } from './dialog.tsx';
import { useWorkspace } from './workspace.ts';

/** Returns the act of sending this text, or null if it is blank. The workspace refuses commands in a thread, as Slack does. */
function actFor(text: string, channel: string, threadTs: string | null): PageAct | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const thread = threadTs === null ? {} : { threadTs };
  return { do: trimmed.startsWith('/') ? 'command' : 'say', channel, text: trimmed, ...thread };
}

interface ComposerProps {
  conversation: Conversation;
  name: string;
  hint: string;
  threadTs: string | null;
  onSend: () => void;
}

/** The field for text and commands: Enter sends, Shift+Enter starts a line. */
export function Composer({ conversation, name, hint, threadTs, onSend }: ComposerProps): ReactNode {
  const { send, proposal, propose } = useWorkspace();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const { id, isArchived } = conversation;

  useEffect(() => {
    if (threadTs !== null) field.current?.focus();
  }, [threadTs]);

  // What the side panel proposes to try is put into the channel's composer.
  useEffect(() => {
    if (proposal === null || threadTs !== null) return;
    setText(proposal);
    propose(null);
    field.current?.focus();
  }, [proposal, propose, threadTs]);

  if (isArchived) return <p className="silent quiet">This channel is archived: nobody can write in it.</p>;

  const submit = async () => {
    const act = actFor(text, id, threadTs);
    if (act === null) return;
    setText('');
    onSend();
    const { ok } = await send(act);
    if (!ok) setText((now) => (now === '' ? text : now));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    void submit();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <div className="row">
        {threadTs === null && <GlobalShortcuts />}
        <textarea
          ref={field}
          rows={1}
          aria-label={name}
          placeholder={hint}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <button type="submit" className="button primary" aria-label={threadTs === null ? 'Send message' : 'Send reply'}>
          Send
        </button>
      </div>
    </form>
  );
}

function GlobalShortcuts(): ReactNode {
  const { snapshot, send } = useWorkspace();
  const shortcuts = snapshot.shortcuts.filter(({ type }) => type === 'global');
  const items = shortcuts.map(({ name, callbackId }) => {
    return { id: callbackId, name, choose: () => send({ do: 'global-shortcut', callbackId }) };
  });
  return <Menu label="Shortcuts" face="⚡" items={items} />;
}
