import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { PageAct, Snapshot } from '../page-protocol.ts';
import { Menu } from './menu.tsx';
import { useWorkspace } from './workspace.ts';

type Command = Snapshot['commands'][number];

/** A possible completion of what is being typed. */
export interface Offer {
  /** The completed name: '/notif', '@ann'. */
  readonly name: string;
  readonly usage: string;
  readonly description: string;
  /** The whole text after the choice. */
  readonly completed: string;
  /** Whether the name is fully typed, so that choosing it adds nothing. */
  readonly isTyped: boolean;
}

/** Returns the commands to offer for the typed text; none after a space ends the command's word. */
export function offerCommands(typed: string, commands: readonly Command[]): readonly Offer[] {
  if (!/^\/\S*$/.test(typed)) return [];
  return commands
    .filter(({ command }) => command.startsWith(typed))
    .map(({ command, usageHint, description }) => ({
      ...{ name: command, usage: usageHint, description },
      completed: `${command} `,
      isTyped: command === typed,
    }));
}

/** Returns the people, including the bot, to offer for a name at the end of the text: '… @no'. */
export function offerPeople(typed: string, people: Snapshot['people']): readonly Offer[] {
  const begun = /(?:^|\s)@([\w-]*)$/.exec(typed)?.[1]?.toLowerCase();
  if (begun === undefined) return [];
  const before = typed.slice(0, typed.length - begun.length);
  return people
    .filter(({ name }) => name.toLowerCase().startsWith(begun))
    .map(({ name, isBot }) => ({
      ...{ name: `@${name}`, usage: '', description: isBot ? 'the app' : '' },
      completed: `${before}${name} `,
      isTyped: name.toLowerCase() === begun,
    }));
}

/** Returns the command whose arguments are being typed, or null. */
export function commandBeingTyped(typed: string, commands: readonly Command[]): Command | null {
  const [word] = typed.split(/\s/);
  return typed.includes(' ') ? (commands.find(({ command }) => command === word) ?? null) : null;
}

/** Returns the act of sending this text, or null if it is blank. The workspace refuses commands in a thread, as Slack does. */
export function actFor(text: string, channel: string, threadTs: string | null): PageAct | null {
  const trimmed = text.trim();
  if (trimmed === '') return null;
  const thread = threadTs === null ? {} : { threadTs };
  return { do: trimmed.startsWith('/') ? 'command' : 'say', channel, text: trimmed, ...thread };
}

interface Offering {
  readonly offers: readonly Offer[];
  /** The index of the one that Tab and Enter choose. */
  readonly marked: number;
  /** Handles a key. Returns true if it was meant for the offers. */
  readonly takesKey: (event: KeyboardEvent) => boolean;
}

/** Offers completions of the composer's text: arrow keys mark one, Tab and Enter choose it, Escape dismisses all. */
function useOffers(text: string, isInThread: boolean, onTake: (offer: Offer) => void): Offering {
  const { commands, people } = useWorkspace().snapshot;
  const [mark, setMark] = useState({ text: '', index: 0 });
  const [dismissed, setDismissed] = useState<string | null>(null);
  const all = [...(isInThread ? [] : offerCommands(text, commands)), ...offerPeople(text, people)];
  const offers = text === dismissed ? [] : all;
  const marked = mark.text === text ? mark.index : 0;
  const offer = offers[marked];

  const takesKey = ({ key, shiftKey }: KeyboardEvent) => {
    if (offer === undefined) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[key];
    if (step !== undefined) setMark({ text, index: (marked + step + offers.length) % offers.length });
    else if (key === 'Escape') setDismissed(text);
    else if (key === 'Tab' || (key === 'Enter' && !shiftKey && !offer.isTyped)) onTake(offer);
    else return false;
    return true;
  };
  return { offers, marked, takesKey };
}

interface OffersProps {
  readonly listId: string;
  readonly offers: readonly Offer[];
  readonly marked: number;
  readonly onChoose: (offer: Offer) => void;
}

/** Shows the possible completions of the composer's text. The composer keeps the focus and knows which one is marked. */
function Offers({ listId, offers, marked, onChoose }: OffersProps): ReactNode {
  return (
    <div id={listId} className="offers" role="listbox" aria-label="Suggestions" tabIndex={-1}>
      {offers.map((offer, index) => (
        <button
          key={offer.name}
          type="button"
          role="option"
          id={offerId(listId, index)}
          aria-selected={index === marked}
          tabIndex={-1}
          onClick={() => onChoose(offer)}
        >
          <strong>{offer.name}</strong> {offer.usage}
          {offer.description !== '' && <small>{offer.description}</small>}
        </button>
      ))}
    </div>
  );
}

/** Returns the ID of an offer's element, which the composer refers to. */
function offerId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

interface ComposerProps {
  readonly channel: string;
  /** The field's name for screen readers. */
  readonly name: string;
  /** The placeholder. */
  readonly hint: string;
  /** The open thread, or null. */
  readonly threadTs: string | null;
  readonly onSend: () => void;
}

/** The field for text and commands: Enter sends, Shift+Enter starts a line; commands and names are offered during typing. */
export function Composer({ channel, name, hint, threadTs, onSend }: ComposerProps): ReactNode {
  const { snapshot, send, proposal, propose } = useWorkspace();
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const usage = threadTs === null ? commandBeingTyped(text, snapshot.commands)?.usageHint : undefined;

  useEffect(() => {
    if (threadTs !== null) field.current?.focus();
  }, [threadTs]);

  useEffect(() => {
    if (proposal === null || threadTs !== null) return;
    setText(proposal);
    propose(null);
    field.current?.focus();
  }, [proposal, propose, threadTs]);

  const complete = ({ completed }: Offer) => {
    setText(completed);
    field.current?.focus();
  };
  const { offers, marked, takesKey } = useOffers(text, threadTs !== null, complete);
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
    if (event.nativeEvent.isComposing) return;
    if (!takesKey(event)) {
      if (event.key !== 'Enter' || event.shiftKey) return;
      submit();
    }
    event.preventDefault();
  };

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {offers.length > 0 && <Offers {...{ listId, offers, marked }} onChoose={complete} />}
      {usage !== undefined && usage !== '' && <p className="hint quiet">{usage}</p>}
      <div className="row">
        {threadTs === null && <GlobalShortcuts />}
        <textarea
          ref={field}
          rows={1}
          aria-label={name}
          aria-autocomplete="list"
          aria-controls={offers.length > 0 ? listId : undefined}
          aria-activedescendant={offers.length > 0 ? offerId(listId, marked) : undefined}
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
