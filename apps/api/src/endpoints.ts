import type { Accounts } from '@linnet/accounts/accounts';
import type { Db } from '@linnet/db/database';

import type { Wire } from './domain/wire.ts';
import { createCheckUsername } from './endpoints/account/check-username.ts';
import { createIsEmail } from './endpoints/auth/is-email.ts';
import { createRegister } from './endpoints/auth/register.ts';
import { createCreatePost } from './endpoints/post/create-post.ts';
import { createListPosts } from './endpoints/post/list-posts.ts';
import { createShowPost } from './endpoints/post/show-post.ts';
import { createIsUser } from './endpoints/users/is-user.ts';
import { createShowUser } from './endpoints/users/show-user.ts';
import type { Endpoint } from './http/endpoint.ts';

interface EndpointDependencies {
  readonly db: Db;
  readonly accounts: Accounts;
  readonly wire: Wire;
}

/** Every endpoint of the API. */
export function createEndpoints({ db, accounts, wire }: EndpointDependencies): readonly Endpoint[] {
  return [
    createRegister(accounts, wire),
    createIsEmail(accounts),
    createCheckUsername(accounts),
    createShowUser(db, wire),
    createIsUser(db),
    createCreatePost(db, wire),
    createShowPost(db, wire),
    createListPosts(db, wire),
  ];
}
