import type { Seal } from '../../domain/access/seal.ts';
import type { FoundNothing, IdMeaning } from '../../domain/lookups/looked-up.ts';
import { type IdentifyParts, identifyId } from '../../use-cases/lookups/identify-id.ts';
import { listEvents } from '../../use-cases/lookups/list-events.ts';
import type { MessageContent } from '../blocks/blocks.ts';
import type { TopicRequest } from '../blocks/buttons/topic-button.ts';
import { audienceOf, type Reader } from '../blocks/reader.ts';
import { foundAnswer, type LookupAnswer } from '../blocks/words/lookup-answer.ts';
import { listMessage } from './list-message.ts';
import { unknownMessage } from './unknown-message.ts';

export interface UnknownIdParts extends IdentifyParts {
  readonly seal: Seal;
}

/** Another flow's answer. */
export type ShowTopic = (request: TopicRequest, reader: Reader) => Promise<MessageContent>;

/**
 * With that subscriber's events or that topic if there is one, else with everything that has the ID anywhere. Throws
 * `ServiceError` if the result can't be read.
 */
export async function answerUnknownId(
  nothing: FoundNothing,
  reader: Reader,
  showTopic: ShowTopic,
  parts: UnknownIdParts,
): Promise<LookupAnswer> {
  const identification = await identifyId(nothing, parts);
  const own = identification.meanings.filter(({ environment }) => environment.name === nothing.environment.name);
  const [only, ...others] = own;
  if (only !== undefined && others.length === 0) {
    return foundAnswer(await shownAs(only, nothing, reader, { ...parts, showTopic }));
  }
  const audience = audienceOf(reader);
  return {
    isFound: own.length > 0,
    content: unknownMessage(identification, { audience, now: parts.now(), seal: parts.seal }),
  };
}

async function shownAs(
  { environment, kind }: IdMeaning,
  { target: { id } }: FoundNothing,
  reader: Reader,
  { showTopic, ...parts }: UnknownIdParts & { readonly showTopic: ShowTopic },
): Promise<MessageContent> {
  if (kind === 'topic') {
    const question = { topicKey: id, subscriberId: null, order: 'newest', after: null } as const;
    return showTopic({ environment: environment.name, question }, reader);
  }
  const owner = { kind: 'subscriber', id } as const;
  const request = { environment: environment.name, owner, before: parts.now(), end: null, from: 0 };
  const list = await listEvents(request, { ...parts, environment });
  return listMessage(list, { isForAll: reader.is === 'channel', seal: parts.seal });
}
