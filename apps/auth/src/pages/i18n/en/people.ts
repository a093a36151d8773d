import type { RichText } from '../rich-text.ts';

/** Texts of posts, and of the pages that follow an account and reply to a post. */
export const people = {
  verified: 'Verified account',
  pictureOf: (name: string) => `Picture posted by ${name}`,
  edited: (time: string) => `Edited ${time}`,
  showSensitive: 'Show sensitive picture',
  hideSensitive: 'Hide picture',
  followersComment: 'Followers and mentioned accounts can comment.',
  mentionedComment: 'Only mentioned accounts can comment.',
  likeLabel: (count: number): string => (count === 1 ? 'Like' : 'Likes'),
  commentLabel: (count: number): string => (count === 1 ? 'Comment' : 'Comments'),
  repostLabel: (count: number): string => (count === 1 ? 'Repost' : 'Reposts'),
  postLabel: (count: number): string => (count === 1 ? 'Post' : 'Posts'),
  followerLabel: (count: number): string => (count === 1 ? 'Follower' : 'Followers'),
  following: 'Following',
  throttled: 'You’re doing this too often. Wait a minute, then try again.',
  publicProfile: 'Public profile',
  posts: {
    title: 'Posts',
    none: 'No posts yet.',
    noMore: 'There are no older posts.',
    older: 'Older posts',
    newest: 'Newest posts',
  },
  comments: {
    title: 'Comments',
    none: 'No comments yet.',
    noMore: 'There are no older comments.',
    older: 'Older comments',
    newest: 'Newest comments',
  },
  follow: {
    title: (name: RichText): RichText => ['Follow ', name],
    openText: 'Posts by this account will appear in your feed, in every app you connect.',
    blocking: 'You block this account, so you cannot follow it.',
    blocked: 'This account blocks you, so you cannot follow it.',
    protectedText: 'Only approved followers see the posts of this account. Your request can be approved or rejected.',
    states: { following: 'You follow this account', requested: 'Follow request pending', followsYou: 'Follows you' },
    actions: {
      follow: 'Follow',
      request: 'Ask to follow',
      unfollow: 'Unfollow',
      withdraw: 'Withdraw request',
    },
    done: {
      followed: 'You follow this account now.',
      requested: 'Follow request sent. You see the posts once it is approved.',
      unfollowed: 'You no longer follow this account.',
      withdrawn: 'Follow request withdrawn.',
    },
  },
  reply: {
    title: (name: RichText): RichText => ['Reply to ', name],
    field: 'Your comment',
    hint: 'Up to 1000 characters.',
    everyone: 'Everyone can read your comment, with your name and picture.',
    followersOnly: 'Only approved followers of this account see the post and your comment.',
    restricted: {
      followers: 'You can’t comment on this post. Only followers of its author and accounts that it mentions can.',
      mentioned: 'You can’t comment on this post. Only accounts that it mentions can.',
    },
    submit: 'Publish comment',
    done: 'Comment published.',
    errors: {
      missing: 'Write a comment.',
      wrong: 'Comment must be 1000 characters or fewer.',
    },
  },
  own: {
    openText: 'Anyone can see your posts. To write one, use an app that you have connected.',
    protectedText:
      'Only your followers see your posts. They do not appear on your public profile, and only you can see this page.',
    change: 'Change who sees them',
  },
};
