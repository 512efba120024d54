import { z } from 'zod';
import { element, picture } from './element-schema.ts';
import { textObject } from './objects.ts';

export const identified = { block_id: z.string().default('') };

/** A card, by itself or in a carousel. */
export const card = z.object({
  type: z.literal('card'),
  title: textObject.optional(),
  subtitle: textObject.optional(),
  body: textObject.optional(),
  icon: picture.optional(),
  hero_image: picture.optional(),
  actions: z.array(element).optional(),
  ...identified,
});
