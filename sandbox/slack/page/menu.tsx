import type { ReactNode } from 'react';
import { Button, Menu as MenuList, MenuItem as MenuRow, MenuTrigger, Popover, Text } from 'react-aria-components';

export interface MenuItem {
  readonly id: string;
  readonly name: string;
  readonly detail?: string;
  readonly choose: () => void;
}

interface MenuProps {
  readonly label: string;
  readonly face: ReactNode;
  readonly items: readonly MenuItem[];
}

export function Menu({ label, face, items }: MenuProps): ReactNode {
  return (
    <MenuTrigger>
      <Button className="icon" aria-label={label}>
        {face}
      </Button>
      <Popover className="popover">
        <MenuList aria-label={label} items={items}>
          {({ name, detail, choose }) => (
            <MenuRow className="entry" textValue={name} onAction={choose}>
              <Text slot="label">{name}</Text>
              {detail !== undefined && <Text slot="description">{detail}</Text>}
            </MenuRow>
          )}
        </MenuList>
      </Popover>
    </MenuTrigger>
  );
}
