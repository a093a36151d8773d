import { claimSubmission } from '@linnet/applications/application/form-submission-store';
import type { FormSubmission } from '@linnet/applications/application/form-submission-store';
import { createComment } from '@linnet/contract/routes/comment';
import { insertComment } from '@linnet/social/comment/comment-store';
import { findEntities } from '@linnet/social/post/post-text';
import { toShownComment, toShownPost } from '@linnet/social/pages/page-view';
import { findPostPage } from '@linnet/social/pages/post-page-store';

import { findDone, redirectTo, renderPage } from '../../../pages/frame/render.tsx';
import type { Form } from '../../../pages/form/form.ts';
import { pagePaths } from '../../../pages/views/page-paths.ts';
import type { AreaPage, Visit } from '../../../sign-in/visit/area.ts';
import { readSubmissionId, submissionFields } from '../../application/submission-id.ts';
import type { PeopleRouteOptions } from './follow-route.tsx';
import { parsePostId, readBefore } from './read-before.ts';
import { ReplyPage, commentField } from './reply-page.tsx';
import type { ReplyPageProps } from './reply-page.tsx';

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
    if (await writeOnce(db, submission, comment)) redirectTo(ctx, pagePaths.reply(postId), 'published');
    else await show(options, visit, { typed, status: 403 });
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
): Promise<boolean> {
  try {
    await db.transaction(async (tx) => {
      if (!(await claimSubmission(tx, submission))) return;
      if ((await insertComment(tx, comment)) === undefined) throw new CommentRefused('the person may not comment');
    });
    return true;
  } catch (error) {
    if (error instanceof CommentRefused) return false;
    throw error;
  }
}

async function show(
  { db, viewContext, imageSources }: PeopleRouteOptions,
  { ctx, frame, param, session }: Visit,
  { status = 200, ...state }: State,
): Promise<void> {
  const id = parsePostId(param('id'));
  const before = readBefore(ctx);
  const found = id === undefined ? undefined : await findPostPage(db, { id, viewer: session.accountId, before });
  if (found === undefined) return;
  const { olderThan } = found;
  const props = {
    hidden: submissionFields(),
    post: toShownPost(found.post, viewContext),
    isProtected: found.isProtected,
    canComment: found.canComment,
    comments: found.comments.map((comment) => toShownComment(comment, viewContext)),
    olderHref: olderThan === undefined ? undefined : `${ctx.path}?before=${String(olderThan)}#comments`,
    newestHref: before === undefined ? undefined : `${ctx.path}#comments`,
  };
  renderPage(ctx, <ReplyPage {...{ frame, ...props, ...state }} />, { status, images: imageSources });
}
