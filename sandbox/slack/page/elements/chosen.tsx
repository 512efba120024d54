import type { ReactNode } from 'react';
import { Button, Tag, TagGroup, TagList } from 'react-aria-components';
import type { Option } from '../blocks/objects.ts';
import { plainText } from '../text/text.tsx';
import { keyOf } from './options.ts';

interface ChosenProps {
  readonly options: readonly Option[];
  readonly onChoose: (chosen: readonly Option[]) => void;
}

/** Shows the choices in a multi-select, each with a button that removes it. */
export function Chosen({ options, onChoose }: ChosenProps): ReactNode {
  if (options.length === 0) return null;
  return (
    <TagGroup aria-label="Chosen" onRemove={(keys) => onChoose(options.filter((option) => !keys.has(keyOf(option))))}>
      <TagList className="chips">
        {options.map((option) => (
          <Tag key={keyOf(option)} id={keyOf(option)} className="chip" textValue={plainText(option.text)}>
            {plainText(option.text)}
            <Button slot="remove" className="icon">
              ✕
            </Button>
          </Tag>
        ))}
      </TagList>
    </TagGroup>
  );
}
