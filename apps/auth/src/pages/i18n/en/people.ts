import type { RichText } from '../text-types.ts';

/** Texts of posts, and of the pages that follow an account and reply to a post. */
export const people = {
  verified: 'Verified account',
  pictureOf: (name: string) => `Picture posted by ${name}`,
  edited: (time: string) => `Edited ${time}`,
  showSensitive: 'Show sensitive picture',
  hideSensitive: 'Hide picture',
  quoteGone: 'The quoted post is not available.',
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
    noMore: 'There are no newer comments.',
    next: 'Newer comments',
    first: 'First comments',
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
    title: (name: RichText): RichText => ['Comment on the post by ', name],
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

/** Texts of the page of word filters, mutes and blocks. */
export const hidden = {
  title: 'Mute and block',
  intro: 'Decide what you see. Your choice applies in every app.',
  until: (time: string) => `Until ${time}`,
  username: 'Username',
  usernameHint: 'For example, @ada_lovelace.',
  ends: 'Ends',
  endings: { never: 'Never', day: 'In a day', week: 'In a week', month: 'In 30 days' },
  actions: { removeFilter: 'Remove', unmute: 'Unmute', unblock: 'Unblock' },
  filters: {
    title: 'Filtered words',
    text: 'Apps that support filters hide posts and comments with these words until you open them, and don’t notify you about them.',
    none: 'No filtered words.',
    field: 'Word or phrase',
    hint: 'Up to 100 characters. Case and accents make no difference.',
    word: 'Whole words only',
    part: 'Also within words',
    submit: 'Add filter',
    full: 'You have 100 filters. Remove one to add another.',
  },
  muted: {
    title: 'Muted accounts',
    text: 'You don’t see their posts in your feed, and get no notifications about them. They aren’t told.',
    none: 'You have not muted anyone.',
    submit: 'Mute account',
  },
  blocked: {
    title: 'Blocked accounts',
    text: 'You no longer see or follow each other. Unblocking someone does not make you follow each other again.',
    none: 'You have not blocked anyone.',
    submit: 'Block account',
  },
  done: {
    filterAdded: 'The filter was added.',
    filterRemoved: 'The filter was removed.',
    muted: 'The account is muted.',
    unmuted: 'The account is no longer muted.',
    blocked: 'The account is blocked.',
    unblocked: 'The account is no longer blocked.',
  },
  errors: {
    text: 'Enter a word or phrase of up to 100 characters, with a letter or a digit.',
    unknown: 'No account has this username.',
    own: 'You cannot mute or block your own account.',
  },
};

/** Texts of the page on which people invite others. */
export const invitations = {
  title: 'Invitations',
  intro: 'With your link, people you know can register without waiting for an administrator.',
  note: 'Note',
  noteHint: 'For you, such as whom the link is for. Administrators can read it.',
  uses: 'Number of people',
  usesHint: (most: number) => `How many people can register with the link, up to ${String(most)}.`,
  days: 'Expires',
  inDays: (days: number) => (days === 1 ? 'In a day' : `In ${String(days)} days`),
  limit: (most: number) =>
    `You can have ${String(most)} active links at a time. Administrators can see whom you invited. Changing your password or signing out everywhere ends your links.`,
  submit: 'Create link',
  created: 'The link is ready. Copy it now: it is shown only once.',
  listTitle: 'Your links',
  none: 'You have not invited anyone in the last 30 days.',
  unnamed: (day: string) => `Link from ${day}`,
  over: 'Ended',
  used: (uses: number, most: number) => `Used ${String(uses)} of ${String(most)} times`,
  until: (time: string) => `until ${time}`,
  end: 'End link',
  ended: 'The link has ended. Nobody can register with it anymore.',
  problems: {
    full: (most: number) => `You have ${String(most)} active links. End one to create another.`,
    throttled: (_most: number) => 'You created many links today. Try again tomorrow.',
  },
  errors: {
    note: (most: number) => `Note must be one line of visible characters, up to ${String(most)}.`,
    uses: (most: number) => `Enter a number from 1 to ${String(most)}.`,
  },
};

/** Texts of the page on which people bring their posts. */
export const imports = {
  title: 'Import posts',
  intro:
    'Bring your posts from another Linnet server or from Mastodon: export them there and choose the ZIP file here. They appear at their dates, and nobody is notified.',
  file: 'ZIP file',
  fileHint: (megabytes: number, items: number) =>
    `At most ${String(megabytes)} MB and ${String(items)} posts and comments.`,
  passwordHint: 'We ask for it so that no one else can post as you from a browser you left open.',
  submit: 'Import',
  started: 'The import has started. This page shows how far it is.',
  undone: 'The imported posts are being deleted.',
  listTitle: 'Your imports',
  none: 'Nothing imported yet.',
  states: {
    running: 'Running. If it was interrupted, send the same file again.',
    finished: 'Finished.',
    undone: 'Undone.',
  },
  stored: (posts: number, comments: number, pictures: number) =>
    `Posts: ${String(posts)} · comments: ${String(comments)} · images: ${String(pictures)}`,
  leftOut: 'Left out:',
  reasons: {
    text: 'texts that are empty or too long',
    date: 'impossible dates',
    comments: 'comments on posts that are not yours',
    quotes: 'quotes, of posts that were kept',
    pictures: 'images that cannot be read',
    history: 'texts before an edit',
    private: 'posts that were not public',
    polls: 'polls and other kinds',
    reposts: 'reposts',
    likes: 'likes',
    bookmarks: 'bookmarks',
  },
  undo: 'Undo',
  undoHint: 'Deletes what this file added. Possible for a day.',
  problems: {
    missing: 'Choose a ZIP file.',
    'too-large': 'The file, or a file in it, is too large.',
    'not-a-zip': 'The file is not a ZIP file.',
    'unknown-files': 'The file is neither an export of Linnet nor of Mastodon.',
    damaged: 'The file is damaged.',
    'too-many-posts': 'The file has too many posts.',
    'account-gone': 'Your account cannot post at the moment.',
    'one-at-a-time': 'Another import is running. Wait until it is finished.',
    'too-many': 'You have imported five files today. Try again tomorrow.',
  },
};
