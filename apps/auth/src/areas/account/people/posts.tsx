import { PostArticle } from '@linnet/ui/post.tsx';
import type { PostTexts, ShownPost } from '@linnet/ui/post.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import type { Messages } from '../../../pages/i18n/en/en.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { AccountLayout } from '../account-layout.tsx';

interface PostsPageProps {
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
        {frame.hasClient && <a href={pagePaths.client}>{frame.messages.front.home.client}</a>}
      </p>
      <PostList frame={frame} isProtected={isProtected} {...list} />
    </AccountLayout>
  );
}

/** A page of posts and the addresses of its neighbors. */
export interface PostListProps {
  /** Newest first. */
  readonly posts: readonly ShownPost[];
  /** The next, older page; `undefined` on the last page. */
  readonly olderHref: string | undefined;
  /** The first page; `undefined` on it. */
  readonly newestHref: string | undefined;
}

interface FramedPostListProps extends PostListProps {
  readonly frame: Frame;
  /** Posts that only followers see have no public page, so they lead to the page where one replies to them. */
  readonly isProtected: boolean;
}

export function PostList({ frame, posts, isProtected, olderHref, newestHref }: FramedPostListProps): VNode {
  const { posts: texts } = frame.messages.people;
  const hrefOf = ({ id }: ShownPost) => (isProtected ? pagePaths.reply(id) : undefined);
  return (
    <>
      {posts.length === 0 ? (
        <p class="empty">{newestHref === undefined ? texts.none : texts.noMore}</p>
      ) : (
        <ul class="rows" data-testid="posts">
          {posts.map((post) => (
            <li key={post.id} class="row">
              <PostArticle post={post} href={hrefOf(post)} texts={postTextsOf(frame.messages)} />
            </li>
          ))}
        </ul>
      )}
      <Turn
        nextHref={olderHref}
        firstHref={newestHref}
        label={texts.title}
        texts={{ next: texts.older, first: texts.newest }}
      />
    </>
  );
}

interface TurnProps {
  readonly nextHref: string | undefined;
  readonly firstHref: string | undefined;
  readonly label: string;
  readonly texts: { readonly next: string; readonly first: string };
}

/** Links to the next and the first page of a list. */
export function Turn({ nextHref, firstHref, label, texts }: TurnProps): VNode | null {
  if (nextHref === undefined && firstHref === undefined) return null;
  return (
    <nav class="turn" aria-label={label}>
      {firstHref === undefined ? null : <a href={firstHref}>{texts.first}</a>}
      {nextHref === undefined ? null : (
        <a href={nextHref} rel="next">
          {texts.next}
        </a>
      )}
    </nav>
  );
}

/** The texts of posts in the reader's language. */
export function postTextsOf({ people, formatMinute, formatNumber }: Messages): PostTexts {
  return { ...people, formatMinute, formatCount: formatNumber };
}
