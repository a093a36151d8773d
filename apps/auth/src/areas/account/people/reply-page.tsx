import { inertText } from '@linnet/ui/inert-text';
import { CommentList, PostArticle } from '@linnet/ui/post.tsx';
import type { ShownComment, ShownPost } from '@linnet/ui/post.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import { ErrorSummary, TextArea, PostForm } from '../../../pages/views/field.tsx';
import type { Frame } from '../../../pages/frame/frame.ts';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
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
  /** Whether the author lets the person comment. */
  readonly canComment: boolean;
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
  const { frame, post, isProtected, isPublished = false, error, problem } = props;
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
      {props.canComment ? <Form {...props} /> : <Restricted {...props} />}
      <Comments {...props} />
    </Layout>
  );
}

function Form({ frame, post, hidden = {}, isProtected, typed, error }: ReplyPageProps): VNode {
  const { reply } = frame.messages.people;
  return (
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
  );
}

/** Why there is no form, and what the person can do. */
function Restricted({ frame, post }: ReplyPageProps): VNode {
  const { follow, reply } = frame.messages.people;
  return (
    <div class="panel" data-testid="restricted">
      <p>{reply.restricted[post.commenters === 'followers' ? 'followers' : 'mentioned']}</p>
      {post.commenters === 'followers' ? (
        <a class="button quiet-button" href={pagePaths.follow(post.user.username)}>
          {follow.actions.follow}
        </a>
      ) : null}
    </div>
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
