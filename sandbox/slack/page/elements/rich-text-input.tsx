import { type ReactNode, useState } from 'react';
import { TextArea, TextField } from 'react-aria-components';
import { z } from 'zod';
import { richTextElement } from '../blocks/rich-text-schema.ts';
import { RichText } from '../text/rich-text.tsx';
import { readTyped } from '../text/typed-rich-text.ts';
import { writeOut } from '../text/written-rich-text.ts';
import { useWorkspace } from '../workspace.ts';
import { Framed, useField } from './field.tsx';
import { type Placed, placeholderOf, useValue } from './placed.ts';

const richText = z.object({ elements: z.array(richTextElement) });

/** Slack's default number of lines. */
const defaultLines = 8;

/** A field for formatted text, typed as markup that Slack's editor understands. The result is shown below. */
export function RichTextInput(placed: Placed<'rich_text_input'>): ReactNode {
  const { element, acts } = placed;
  const { people } = useWorkspace().snapshot;
  const triggers = element.dispatch_action_config?.trigger_actions_on ?? [];
  const [value, change] = useValue({ ...placed, acts: acts && triggers.includes('on_character_entered') });
  const elements = richText.safeParse(value).data?.elements ?? [];
  const nameOf = (id: string) => people.find((person) => person.id === id)?.name ?? id;
  const [source, setSource] = useState(() => writeOut(elements, nameOf));
  const type = (now: string) => {
    setSource(now);
    const read = readTyped(now, people);
    change(read.length === 0 ? null : { type: 'rich_text', elements: read });
  };
  return (
    <TextField {...useField(placed, 'Formatted text')} value={source} onChange={type}>
      <Framed>
        <TextArea
          rows={element.min_lines ?? defaultLines}
          placeholder={placeholderOf(element, '*bold* _italic_ - list')}
        />
        {elements.length > 0 && (
          <div className="preview">
            <RichText elements={elements} />
          </div>
        )}
      </Framed>
    </TextField>
  );
}
