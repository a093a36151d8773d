/**
 * What a response leads to: the operations that take one of its values from the query. Tools for stateful tests follow these links.
 * Links to bodies are left out, because openapi-generator refuses them.
 */
import type { oas31 } from 'zod-openapi';

interface Target {
  readonly operationId: string;
  /** Maps parameters to a runtime expression, or to a value. */
  readonly parameters: Readonly<Record<string, string>>;
}

const postId = '$response.body#/items/id';
const accountId = '$response.body#/user/id';
const ofPost = { item_id: postId, type: 'post' };
const nextPage = { cursor: '$response.body#/next' };

/** By the id of the operation that responds. */
const targets: Readonly<Record<string, readonly Target[]>> = {
  postCreate: [
    { operationId: 'postShow', parameters: { id: postId } },
    { operationId: 'commentList', parameters: ofPost },
    { operationId: 'commentCreateByGet', parameters: { ...ofPost, text: 'Well said' } },
    { operationId: 'likesIsLiked', parameters: ofPost },
    { operationId: 'repostsIsReposted', parameters: ofPost },
  ],
  authRegister: [
    { operationId: 'usersShow', parameters: { id: accountId } },
    { operationId: 'usersFollowers', parameters: { id: accountId } },
    { operationId: 'followsIsFollowing', parameters: { id: accountId } },
    { operationId: 'postList', parameters: { user_id: accountId } },
  ],
  mediaUpload: [{ operationId: 'mediaShow', parameters: { id: '$response.body#/finally/media_id' } }],
  feed: [{ operationId: 'feed', parameters: nextPage }],
  postList: [{ operationId: 'postList', parameters: { user_id: '$request.query.user_id', ...nextPage } }],
  usersFollowers: [{ operationId: 'usersFollowers', parameters: { id: '$request.query.id', ...nextPage } }],
};

/** Adds the links to the responses of a document. */
export function addLinks({ paths = {} }: oas31.OpenAPIObject): void {
  for (const operation of Object.values(paths).flatMap(({ get, post }) => [get, post])) {
    const links = linksOf(operation);
    const success: unknown = operation?.responses?.['200'];
    if (links !== undefined && typeof success === 'object') Object.assign(success ?? {}, { links });
  }
}

function linksOf(operation: oas31.OperationObject | undefined): Readonly<Record<string, Target>> | undefined {
  const own = targets[operation?.operationId ?? ''];
  return own === undefined ? undefined : Object.fromEntries(own.map((target) => [target.operationId, { ...target }]));
}
