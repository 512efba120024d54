import type { ReactNode } from 'react';
import type { Element } from '../blocks/element-schema.ts';
import { plainText } from '../text/text.tsx';
import { Button } from './button.tsx';
import { Choices } from './choices.tsx';
import { Overflow } from './overflow.tsx';
import { Picture } from './picture.tsx';
import type { FieldAria } from './placed.ts';
import { SearchSelect } from './search-select.tsx';
import { StaticSelect } from './select.tsx';
import { TextInput } from './text-input.tsx';
import { TimeInput } from './time-input.tsx';
import { WorkspaceSelect } from './workspace-select.tsx';

interface ElementViewProps {
  readonly element: Element;
  readonly blockId: string;
  readonly acts?: boolean;
  /** Its name and description, where a label stands beside it; its placeholder names it otherwise. */
  readonly aria?: FieldAria;
}

export function ElementView({ element, blockId, acts = true, aria }: ElementViewProps): ReactNode {
  if (element.type === 'image') return <Picture url={element.image_url} alt={element.alt_text} />;
  const shared = {
    spot: { blockId, actionId: element.action_id },
    acts,
    aria: aria ?? { 'aria-label': element.placeholder && plainText(element.placeholder) },
  };
  switch (element.type) {
    case 'button':
      return <Button element={element} {...shared} />;
    case 'overflow':
      return <Overflow element={element} {...shared} />;
    case 'static_select':
      return <StaticSelect element={element} {...shared} />;
    case 'external_select':
    case 'multi_external_select':
    case 'multi_static_select':
      return <SearchSelect element={element} {...shared} />;
    case 'checkboxes':
    case 'radio_buttons':
      return <Choices element={element} {...shared} />;
    case 'datepicker':
    case 'timepicker':
    case 'datetimepicker':
      return <TimeInput element={element} {...shared} />;
    case 'plain_text_input':
    case 'number_input':
    case 'email_text_input':
    case 'url_text_input':
      return <TextInput element={element} {...shared} />;
    default:
      return <WorkspaceSelect element={element} {...shared} />;
  }
}
