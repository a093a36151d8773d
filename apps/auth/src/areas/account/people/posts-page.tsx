import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { AccountLayout } from '../account-layout.tsx';
import { PostList } from './post-list.tsx';
import type { PostListProps } from './post-list.tsx';

export interface PostsPageProps {
  readonly frame: Frame;
  readonly username: string;
  readonly isProtected: boolean;
  readonly list: PostListProps;
}

/** The posts of the person, also those of a protected account, which have no public page. */
export function PostsPage({ frame, username, isProtected, list }: PostsPageProps): VNode {
  const { people } = frame.messages;
  return (
    <AccountLayout frame={frame} page="posts" title={people.posts.title} extraStyle="posts.css">
      <p class="lead">{isProtected ? people.own.protectedText : people.own.openText}</p>
      <p class="actions">
        <a href={pagePaths.followers}>{people.own.change}</a>
        <a href={`/@${username}`}>{people.publicProfile}</a>
        {frame.siteLinks.exampleClient === undefined ? null : (
          <a href={frame.siteLinks.exampleClient}>{frame.messages.front.landing.build.exampleClient}</a>
        )}
      </p>
      <PostList frame={frame} isProtected={isProtected} {...list} />
    </AccountLayout>
  );
}
