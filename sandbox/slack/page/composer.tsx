import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { PageAct, Snapshot } from '../page-protocol.ts';
import { Menu } from './menu.tsx';
import { useWorkspace } from './workspace.ts';

type Command = Snapshot['commands'][number];

export function commandsFor(typed: string, commands: readonly Command[]): readonly Command[] {
  const [word = ''] = typed.split(/\s/);
  if (!word.startsWith('/')) return [];
  return commands.filter(({ command }) => (typed === word ? command.startsWith(word) : command === word));
}

/** Returns the act of sending this text, or null if it is blank. The workspace refuses commands in a thread, as Slack does. */
export function actFor(text: string, channel: string, threadTs: string | null): PageAct | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const thread = threadTs === null ? {} : { threadTs };
  return { do: trimmed.startsWith('/') ? 'command' : 'say', channel, text: trimmed, ...thread };
}

interface ComposerProps {
  readonly channel: string;
  readonly name: string;
  readonly hint: string;
  readonly threadTs: string | null;
  readonly onSend: () => void;
}

/** The field for text and commands: Enter sends, Shift+Enter starts a line; commands are explained during typing. */
export function Composer({ channel, name, hint, threadTs, onSend }: ComposerProps): ReactNode {
  const { snapshot, send, proposal, propose } = useWorkspace();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const explained = threadTs === null ? commandsFor(text, snapshot.commands) : [];

  useEffect(() => {
    if (threadTs !== null) field.current?.focus();
  }, [threadTs]);

  useEffect(() => {
    if (proposal === null || threadTs !== null) return;
    setText(proposal);
    propose(null);
    field.current?.focus();
  }, [proposal, propose, threadTs]);

  const submit = () => {
    const act = actFor(text, channel, threadTs);
    if (act === null) return;
    setText('');
    onSend();
    void send(act).then(({ ok }) => {
      // Text that was refused returns to the field to be changed and sent again, unless something else has been typed.
      if (!ok) setText((now) => (now === '' ? text : now));
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    submit();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {explained.map(({ command, usageHint, description }) => (
        <p key={command} className="hint quiet">
          {command} {usageHint} — {description}
        </p>
      ))}
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
  const items = snapshot.shortcuts
    .filter(({ type }) => type === 'global')
    .map(({ name, callbackId }) => ({
      id: callbackId,
      name,
      choose: () => void send({ do: 'global-shortcut', callbackId }),
    }));
  return <Menu label="Shortcuts" face="⚡" items={items} />;
}
