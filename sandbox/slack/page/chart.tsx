import type { ReactNode } from 'react';
import { type Block, Message } from 'slack-blocks-to-jsx';
import 'slack-blocks-to-jsx/dist/style.css';
import { z } from 'zod';
import type { Json } from '../page-protocol.ts';

const ChartType = z.object({ type: z.literal('data_visualization') });
const ChartBlock = z.custom<Block>((json) => ChartType.safeParse(json).success);

export function Chart({ json }: { json: Json }): ReactNode {
  return <Message blocks={[ChartBlock.parse(json)]} name="" logo="" withoutWrapper />;
}
