import type { Account } from '@linnet/contract/objects';
import type { ShownComment, ShownPost } from '@linnet/ui/post.tsx';
import type { VNode } from 'preact';

import { FollowPage } from '@linnet/auth/areas/account/people/follow-page.tsx';
import { PostsPage } from '@linnet/auth/areas/account/people/posts.tsx';
import { ReplyPage } from '@linnet/auth/areas/account/people/reply.tsx';
import { ReportPage } from '@linnet/auth/areas/account/people/report.tsx';
import type { Frame } from '@linnet/auth/pages/frame/frame';
import { ada, frameIn } from './sample-frame.ts';
import type { SampleLanguage } from './sample-frame.ts';

const picture = '/media/avatars/0.png';

const viewer = { following: 1, follow_requested: 0, followed_by: 1, muted: 0, blocked: 0, blocking: 0 } as const;

/** A post of an account, and a comment, with every kind of part. */
export function samplePost(name: string, account: ShownPost['user'] = sampleAccount(name)) {
  const comment: ShownComment = {
    id: 3,
    parent_id: 0,
    created_at: '2026-11-20T15:04:00.000Z',
    user: account,
    parts: [
      { kind: 'plain', text: name },
      { kind: 'hashtag', text: '#looms' },
      { kind: 'mention', text: '@ada_lovelace', href: '/@ada_lovelace' },
      { kind: 'link', text: 'https://app.example.com/a', href: 'http://localhost:3000/a' },
    ],
  };
  const post: ShownPost = {
    ...comment,
    id: 2,
    link: '/p/2',
    attachments: [1, 2].map((id) => ({ id, image: picture, alt: name, width: 800, height: 600 })),
    action: { likes: 1, comments: 2, reposts: 3 },
    commenters: 'everyone',
    sensitive: 0,
  };
  return { post, comment };
}

/** The pages that follow an account, reply to a post and show the person's own posts. */
export function samplePeoplePages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const account = sampleAccount(name);
  const { post, comment } = samplePost(name, account);
  const list = { posts: [post, { ...post, id: 4, attachments: [] }], olderHref: '?before=2', newestHref: '?' };
  const none = { posts: [], olderHref: undefined, newestHref: undefined };
  const follow = { frame, account, list: undefined, isProtected: false };
  return {
    follow: FollowPage(follow),
    'follow, done': FollowPage({ ...follow, account: { ...account, viewer }, done: 'followed' }),
    'follow, blocked': FollowPage({
      ...follow,
      account: { ...account, viewer: { ...viewer, following: 0, blocked: 1 } },
    }),
    'follow, blocking': FollowPage({
      ...follow,
      account: { ...account, viewer: { ...viewer, following: 0, blocking: 1 } },
    }),
    'follow, protected': FollowPage({
      ...follow,
      account: { ...account, verified: 0, description: '', viewer: { ...viewer, following: 0, follow_requested: 1 } },
      isProtected: true,
      isThrottled: true,
    }),
    'follow, protected, approved': FollowPage({ ...follow, account: { ...account, viewer }, isProtected: true, list }),
    'own posts': PostsPage({ frame, username: 'ada_lovelace', isProtected: true, list }),
    'no own posts': PostsPage({ frame, username: 'ada_lovelace', isProtected: false, list: none }),
    ...sampleReplies(frame, post, comment),
  };
}

function sampleReplies(frame: Frame, post: ShownPost, comment: ShownComment): Readonly<Record<string, VNode>> {
  const restricted: ShownPost = { ...post, commenters: 'followers', sensitive: 1 };
  const reply = {
    frame,
    post,
    isProtected: false,
    canComment: true,
    comments: [comment, { ...comment, id: 12, parent_id: comment.id }],
    nextHref: '?after=3',
    firstHref: '?',
  };
  return {
    reply: ReplyPage({ ...reply, isPublished: true }),
    'reply, restricted to followers': ReplyPage({ ...reply, post: restricted, canComment: false }),
    'reply, restricted to mentioned accounts': ReplyPage({
      ...reply,
      post: { ...restricted, commenters: 'mentioned' },
      canComment: false,
    }),
    'reply, refused': ReplyPage({
      ...reply,
      isProtected: true,
      comments: [],
      nextHref: undefined,
      firstHref: undefined,
      typed: post.user.displayName,
      error: frame.messages.people.reply.errors.wrong,
      problem: frame.messages.people.throttled,
    }),
  };
}

export function sampleReportPages(language: SampleLanguage, name: string): Readonly<Record<string, VNode>> {
  const frame = frameIn(language, ada);
  const { errors, limited } = frame.messages.reports.form;
  const subject = { accountId: 1, username: 'grace_hopper', displayName: name, postId: 2, content: name };
  return {
    report: ReportPage({ frame, type: 'account', subject: { ...subject, postId: null } }),
    'report, refused': ReportPage({
      ...{ frame, type: 'post', subject, errors, problem: limited },
      typed: { reason: 'other', text: name },
    }),
    'report, sent': ReportPage({ frame, type: 'comment', subject, isSent: true }),
  };
}

function sampleAccount(name: string): Account {
  return {
    objectType: 'account',
    kind: 'linnet#account',
    id: 1,
    username: 'grace_hopper',
    displayName: name,
    name: { first_name: name, last_name: name },
    description: name,
    country: name,
    link: '/@grace_hopper',
    verified: 1,
    avatar: picture,
    action: { followers: 1, following: 2, posts: 3 },
    viewer: { ...viewer, following: 0, followed_by: 0 },
  };
}
