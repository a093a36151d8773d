import { inertText } from '@linnet/ui/inert-text';
import { CommentList, PostArticle } from '@linnet/ui/post';
import type { ShownComment, ShownPost } from '@linnet/ui/post';
import { UserText } from '@linnet/ui/user-text';
import type { VNode } from 'preact';

import { ErrorSummary } from '../../../pages/views/error-summary.tsx';
import { TextArea } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/views/frame.ts';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import { PostForm } from '../../../pages/views/post-form.tsx';
import { Turn } from './post-list.tsx';
import { postTextsOf } from './post-texts.ts';

/** The name of the field with the comment. */
export const commentField = 'text';

export interface ReplyPageProps {
  readonly frame: Frame;
  /** Hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly post: ShownPost;
  /** Only followers see the post. */
  readonly isProtected: boolean;
  /** Newest first. */
  readonly comments: readonly ShownComment[];
  readonly olderHref: string | undefined;
  readonly newestHref: string | undefined;
  readonly isPublished?: boolean;
  /** As typed. */
  readonly typed?: string;
  readonly error?: string | undefined;
  readonly problem?: string | undefined;
}

/** A post as the person sees it, with its comments and a form for one more. */
export function ReplyPage(props: ReplyPageProps): VNode {
  const { frame, post, hidden = {}, isProtected, isPublished = false, typed, error, problem } = props;
  const { reply } = frame.messages.people;
  const { username } = post.user;
  return (
    <Layout frame={frame} title={`${reply.submit} · ${inertText(`@${username}`)}`} kind="area" extraStyle="posts.css">
      <h1>{reply.title(<UserText text={post.user.displayName} />)}</h1>
      {isPublished ? <Notice kind="done">{reply.done}</Notice> : null}
      <ErrorSummary frame={frame} errors={{ [commentField]: error }} problem={problem} />
      <div class="panel">
        <PostArticle
          post={post}
          href={isProtected ? pagePaths.reply(post.id) : undefined}
          texts={postTextsOf(frame.messages)}
        />
      </div>
      <PostForm frame={frame} action={pagePaths.reply(post.id)} hidden={hidden} class="panel">
        <TextArea
          name={commentField}
          label={reply.field}
          hint={reply.hint}
          value={typed}
          error={error}
          rows={4}
          isProse
        />
        <p class="quiet small">{isProtected ? reply.followersOnly : reply.everyone}</p>
        <button class="button" data-testid="publish-comment">
          {reply.submit}
        </button>
      </PostForm>
      <Comments {...props} />
    </Layout>
  );
}

function Comments({ frame, comments, olderHref, newestHref }: ReplyPageProps): VNode {
  const { comments: texts } = frame.messages.people;
  return (
    <section id="comments">
      <h2>{texts.title}</h2>
      {comments.length === 0 ? (
        <p class="empty">{newestHref === undefined ? texts.none : texts.noMore}</p>
      ) : (
        <CommentList comments={comments} texts={postTextsOf(frame.messages)} />
      )}
      <Turn {...{ olderHref, newestHref }} label={texts.title} texts={texts} />
    </section>
  );
}
