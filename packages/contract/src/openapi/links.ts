/** What a response leads to: the operations that take one of its values. Tools for stateful tests follow these links. */
import type { oas31 } from 'zod-openapi';

interface Target {
  readonly operationId: string;
  /** Maps parameters to a JSON Pointer into the response, or to a value. */
  readonly input: Readonly<Record<string, string>>;
}

const postId = '$response.body#/items/id';
const ownId = '$response.body#/id';
const ofPost = { item_id: postId, type: 'post' };
const ofAccount = { id: '$response.body#/user/id' };
const nextPage = { cursor: '$response.body#/next' };

/** By the id of the operation that responds. */
const targets: Readonly<Record<string, readonly Target[]>> = {
  postCreate: [
    { operationId: 'postShow', input: { id: postId } },
    { operationId: 'commentCreate', input: { ...ofPost, text: 'Well said' } },
    { operationId: 'likesAdd', input: ofPost },
    { operationId: 'repostsAdd', input: ofPost },
    { operationId: 'postDelete', input: { id: postId } },
  ],
  commentCreate: [{ operationId: 'commentDelete', input: { id: ownId } }],
  authRegister: [
    { operationId: 'usersShow', input: ofAccount },
    { operationId: 'followsAdd', input: ofAccount },
    { operationId: 'postList', input: { user_id: '$response.body#/user/id' } },
  ],
  mediaUpload: [
    { operationId: 'mediaShow', input: { id: '$response.body#/finally/media_id' } },
    { operationId: 'mediaDelete', input: { id: '$response.body#/finally/media_id' } },
  ],
  feed: [{ operationId: 'feed', input: nextPage }],
};

/** The links of a response. `reads`: the ids of the operations that take their parameters from the query. */
function linksOf(operationId: string, reads: ReadonlySet<string>): Record<string, oas31.LinkObject> {
  const links = (targets[operationId] ?? []).map(({ operationId: target, input }) => {
    const given = reads.has(target) ? { parameters: { ...input } } : { requestBody: { ...input } };
    return [target, { operationId: target, ...given }] as const;
  });
  return Object.fromEntries(links);
}

/** Adds the links to the responses of a document. */
export function addLinks({ paths = {} }: oas31.OpenAPIObject): void {
  const operations = Object.values(paths).flatMap(({ get, post }) => [get, post]);
  const reads = new Set(Object.values(paths).flatMap(({ get }) => get?.operationId ?? []));
  for (const operation of operations) {
    const success: unknown = operation?.responses?.['200'];
    const links = linksOf(operation?.operationId ?? '', reads);
    if (typeof success === 'object' && Object.keys(links).length > 0) Object.assign(success ?? {}, { links });
  }
}
