import type { ReactNode } from 'react';
import type { Element, ElementOf } from '../blocks/element-schema.ts';
import { type Spot, useSurface } from '../surface.tsx';
import { Button } from './button.tsx';
import { Checkboxes, RadioButtons } from './choices.tsx';
import { ExternalSelect } from './external-select.tsx';
import { Overflow } from './overflow.tsx';
import { Picture } from './picture.tsx';
import { StaticSelect } from './static-select.tsx';
import { TextInput } from './text-input.tsx';
import { TimeBox } from './time-box.tsx';
import { WorkspaceSelect } from './workspace-select.tsx';

interface ElementViewProps {
  readonly element: Element;
  readonly blockId: string;
  readonly acts?: boolean;
}

export function ElementView({ element, blockId, acts = true }: ElementViewProps): ReactNode {
  const { sinceAt } = useSurface();
  if (element.type === 'image') return <Picture url={element.image_url} alt={element.alt_text} />;
  const spot = { blockId, actionId: element.action_id };
  // A field that left and returned is another one, also for what is half typed in it.
  return <OperatedElement key={sinceAt(spot)} {...{ element, spot, acts }} />;
}

interface OperatedElementProps {
  readonly element: Exclude<Element, ElementOf<'image'>>;
  readonly spot: Spot;
  readonly acts: boolean;
}

function OperatedElement({ element, ...shared }: OperatedElementProps): ReactNode {
  switch (element.type) {
    case 'button':
      return <Button element={element} {...shared} />;
    case 'overflow':
      return <Overflow element={element} {...shared} />;
    case 'static_select':
    case 'multi_static_select':
      return <StaticSelect element={element} {...shared} />;
    case 'external_select':
    case 'multi_external_select':
      return <ExternalSelect element={element} {...shared} />;
    case 'checkboxes':
      return <Checkboxes element={element} {...shared} />;
    case 'radio_buttons':
      return <RadioButtons element={element} {...shared} />;
    case 'timepicker':
      return <TimeBox element={element} {...shared} />;
    case 'plain_text_input':
      return <TextInput element={element} {...shared} />;
    default:
      return <WorkspaceSelect element={element} {...shared} />;
  }
}
