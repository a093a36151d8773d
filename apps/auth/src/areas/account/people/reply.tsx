import { claimSubmission } from '@linnet/applications/application/form-submission-store';
import type { FormSubmission } from '@linnet/applications/application/form-submission-store';
import { createComment } from '@linnet/contract/routes/comment';
import { insertComment } from '@linnet/social/comment/comment-store';
import { toShownComment, toShownPost } from '@linnet/social/pages/page-view';
import { findPostPage } from '@linnet/social/pages/post-page-store';
import { findEntities } from '@linnet/social/post/post-text';
import { inertText } from '@linnet/ui/inert-text';
import { CommentList, PostArticle } from '@linnet/ui/post.tsx';
import type { ShownComment, ShownPost } from '@linnet/ui/post.tsx';
import { UserText } from '@linnet/ui/user-text.tsx';
import type { VNode } from 'preact';

import type { Form } from '../../../pages/form/form.ts';
import type { Frame } from '../../../pages/frame/frame.ts';
import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import { ErrorSummary, PostForm, TextArea } from '../../../pages/views/field.tsx';
import { Layout } from '../../../pages/views/layout.tsx';
import { Notice } from '../../../pages/views/notice.tsx';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { readSubmissionId, submissionFields } from '../../application/submission-id.ts';
import { parsePostId } from './follow.tsx';
import type { PeopleRouteOptions } from './follow.tsx';
import { Turn, postTextsOf } from './posts.tsx';

/** The name of the field with the comment. */
const commentField = 'text';

interface ReplyPageProps {
  readonly frame: Frame;
  /** Hidden fields of the form. */
  readonly hidden?: Readonly<Record<string, string>>;
  readonly post: ShownPost;
  /** Only followers see the post. */
  readonly isProtected: boolean;
  /** Whether the author lets the person comment. */
  readonly canComment: boolean;
  /** Oldest first. */
  readonly comments: readonly ShownComment[];
  readonly nextHref: string | undefined;
  readonly firstHref: string | undefined;
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
      {props.canComment ? <ReplyForm {...props} /> : <Restricted {...props} />}
      <Comments {...props} />
    </Layout>
  );
}

function ReplyForm({ frame, post, hidden = {}, isProtected, typed, error }: ReplyPageProps): VNode {
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

function Comments({ frame, comments, nextHref, firstHref }: ReplyPageProps): VNode {
  const { comments: texts } = frame.messages.people;
  return (
    <section id="comments">
      <h2>{texts.title}</h2>
      {comments.length === 0 ? (
        <p class="empty">{firstHref === undefined ? texts.none : texts.noMore}</p>
      ) : (
        <CommentList comments={comments} texts={postTextsOf(frame.messages)} />
      )}
      <Turn {...{ nextHref, firstHref }} label={texts.title} texts={texts} />
    </section>
  );
}

interface State extends Pick<ReplyPageProps, 'isPublished' | 'typed' | 'error' | 'problem'> {
  readonly status?: number;
}

/** `/reply/{id}`: comments on a post. Its public page leads here; posts of protected accounts have only this page. */
export function replyRoute(options: PeopleRouteOptions): AreaPage {
  const { db, throttle } = options;

  async function publish(visit: Visit, form: Form): Promise<void> {
    const { ctx, frame, session } = visit;
    const { reply, throttled } = frame.messages.people;
    const typed = form.text(commentField).replaceAll('\r\n', '\n');
    const input = createComment.input.safeParse({ item_id: visit.param('id'), type: 'post', text: typed }).data;
    if (input === undefined) {
      await show(options, visit, {
        typed,
        error: reply.errors[typed.trim() === '' ? 'missing' : 'wrong'],
        status: 422,
      });
      return;
    }
    const wait = await throttle.countSocialAct(session.accountId);
    if (wait !== undefined) {
      ctx.set('Retry-After', String(wait));
      await show(options, visit, { typed, problem: throttled, status: 429 });
      return;
    }
    const { item_id: postId, text } = input;
    const authorId = session.accountId;
    const submission = { purpose: 'comment', ownerId: authorId, submissionId: readSubmissionId(form) } as const;
    const comment = { postId, authorId, text, entities: findEntities(text) };
    const written = await writeOnce(db, submission, comment);
    if (written === undefined) {
      await show(options, visit, { typed, status: 403 });
      return;
    }
    // The new comment is the first that is shown.
    const position = written.id === undefined ? '' : `?after=${String(written.id - 1)}`;
    redirectTo(ctx, pagePaths.reply(postId) + position, 'published');
  }

  return {
    path: '/reply/:id',
    show: async (visit) => {
      await show(options, visit, { isPublished: findDone(visit.ctx, ['published']) !== undefined });
    },
    form: { stepUp: 'none', act: publish },
  };
}

/** The post does not exist, is hidden from the person, or does not let them comment. */
class CommentRefused extends Error {
  override readonly name = 'CommentRefused';
}

/** Stores a comment, unless the same form did before. Returns false, and stores nothing, if the person may not comment. */
async function writeOnce(
  db: PeopleRouteOptions['db'],
  submission: FormSubmission,
  comment: Parameters<typeof insertComment>[1],
): Promise<{ readonly id?: number } | undefined> {
  try {
    return await db.transaction(async (tx) => {
      if (!(await claimSubmission(tx, submission))) return {};
      const row = await insertComment(tx, comment);
      if (row === undefined) throw new CommentRefused('the person may not comment');
      return { id: row.id };
    });
  } catch (error) {
    if (error instanceof CommentRefused) return undefined;
    throw error;
  }
}

async function show(
  { db, viewContext, imageSources }: PeopleRouteOptions,
  { ctx, frame, param, session }: Visit,
  { status = 200, ...state }: State,
): Promise<void> {
  const id = parsePostId(param('id'));
  const after = parsePostId(ctx.query['after']);
  const found = id === undefined ? undefined : await findPostPage(db, { id, viewer: session.accountId, after });
  if (found === undefined) return;
  const { newerThan } = found;
  const props = {
    hidden: submissionFields(),
    post: toShownPost(found.post, viewContext),
    isProtected: found.isProtected,
    canComment: found.canComment,
    comments: found.comments.map((comment) => toShownComment(comment, viewContext)),
    nextHref: newerThan === undefined ? undefined : `${ctx.path}?after=${String(newerThan)}#comments`,
    firstHref: after === undefined ? undefined : `${ctx.path}#comments`,
  };
  renderPage(ctx, <ReplyPage {...{ frame, ...props, ...state }} />, { status, images: imageSources });
}
