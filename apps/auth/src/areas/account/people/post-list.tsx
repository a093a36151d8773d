import { PostArticle } from '@linnet/ui/post.tsx';
import type { ShownPost } from '@linnet/ui/post.tsx';
import type { VNode } from 'preact';

import type { Frame } from '../../../pages/frame/frame.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { postTextsOf } from './post-texts.ts';

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
      <Turn {...{ olderHref, newestHref }} label={texts.title} texts={texts} />
    </>
  );
}

interface TurnProps extends Pick<PostListProps, 'olderHref' | 'newestHref'> {
  readonly label: string;
  readonly texts: { readonly older: string; readonly newest: string };
}

/** Links to the next and the first page of a list. */
export function Turn({ olderHref, newestHref, label, texts }: TurnProps): VNode | null {
  if (olderHref === undefined && newestHref === undefined) return null;
  return (
    <nav class="turn" aria-label={label}>
      {newestHref === undefined ? null : <a href={newestHref}>{texts.newest}</a>}
      {olderHref === undefined ? null : (
        <a href={olderHref} rel="next">
          {texts.older}
        </a>
      )}
    </nav>
  );
}
