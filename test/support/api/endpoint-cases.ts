import {
  aboutAccount,
  aboutGuest,
  aboutOthers,
  aboutOwn,
  aboutPost,
  filtered,
  malformed,
  notFound,
  notOwner,
  open,
  openWithoutBlock,
  postItem,
  showsMedia,
  showsMention,
  showsSecret,
} from './visibility-cases.ts';
import type { VisibilityCase } from './visibility-cases.ts';

/** A time for what is scheduled, in whole seconds. */
export const tomorrow = new Date(Math.floor(Date.now() / 1000) * 1000 + 86_400_000).toISOString();

/** The records of the test that sends a request. */
export interface EndpointWorld {
  readonly account: number;
  /** Another account, which requested to follow `account`. */
  readonly friend: number;
  readonly post: number;
  /** Records of `account` that may be deleted. */
  readonly spare: {
    readonly post: number;
    /** Quotes `post`. */
    readonly quote: number;
    readonly comment: number;
    readonly media: number;
    readonly filter: number;
    readonly draft: number;
    readonly proposal: number;
  };
  /** A grant of `account` with the scopes `users` and `posts`. */
  readonly grant: number;
  readonly imageUrl: string;
  /** Letters and digits. */
  readonly unique: string;
}

/** What the generated tests need to know about an endpoint. */
interface EndpointCase {
  /** Parameters of a request that succeeds. */
  readonly parameters: (world: EndpointWorld) => Readonly<Record<string, string>>;
  /** Statements of a request; default 1. Reads take one round trip, writes at most two. */
  readonly statements?: number;
  /** Statements of a request with an Idempotency-Key; default 5. */
  readonly keyedStatements?: number;
  /** Who may see what of a protected account (D25). */
  readonly visibility: readonly VisibilityCase[];
}

/** Nobody has a post in it. */
const quotesNothing = { self: notOwner, approved: notOwner, muting: notOwner, hidden: notFound };
const item = ({ post }: EndpointWorld) => ({ item_id: String(post), type: 'post' });
const friend = (world: EndpointWorld) => ({ id: String(world.friend) });
const account = (world: EndpointWorld) => ({ id: String(world.account) });
const owner: VisibilityCase['input'] = (scene) => ({ id: scene.owner.id });
const other: VisibilityCase['input'] = (scene) => ({ id: scene.other.id });
const nothing = () => ({});

const names = { first_name: 'Ada', last_name: 'Lovelace', password: 'correct horse' };

/** The keys of RFC 8291, appendix A. */
export const push = {
  endpoint: 'https://push.example/1',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
};

/** By the name of the row. Every row of the contract needs a case. */
export const endpointCases: Readonly<Record<string, EndpointCase>> = {
  registerAccount: {
    parameters: ({ unique }) => ({ ...names, email: `${unique}@example.org` }),
    statements: 3,
    keyedStatements: 8,
    visibility: [open(() => ({ ...names, email: `${crypto.randomUUID()}@example.org` }))],
  },
  isEmail: {
    parameters: () => ({ email: 'somebody@example.org' }),
    visibility: [open(() => ({ email: 'matrix@example.org' }))],
  },
  checkUsername: {
    parameters: () => ({ username: 'somebody' }),
    visibility: [open((scene) => ({ username: scene.owner.username }))],
  },
  updateUsername: {
    parameters: ({ unique }) => ({ username: `renamed_${unique}` }),
    statements: 3,
    keyedStatements: 7,
    visibility: [open(nothing, malformed)],
  },
  updateAccount: {
    parameters: () => ({ displayName: 'Countess', protected: '1' }),
    statements: 4,
    keyedStatements: 8,
    visibility: [open()],
  },
  deleteAccount: {
    parameters: () => ({ password: 'correct horse' }),
    statements: 2,
    keyedStatements: 7,
    visibility: [open(nothing, malformed)],
  },
  exportAccount: { statements: 2, parameters: nothing, visibility: [open()] },
  listGrants: { parameters: nothing, visibility: [open()] },
  narrowGrant: {
    parameters: ({ grant }) => ({ id: String(grant), scope: 'users' }),
    visibility: [open(() => ({ id: 1, scope: 'users' }), notFound)],
  },
  revokeGrant: {
    parameters: ({ grant }) => ({ id: String(grant) }),
    visibility: [open(() => ({ id: 1 }), notFound)],
  },
  showUser: { parameters: account, visibility: [filtered('the latest post of the account', owner, showsSecret)] },
  lookUpUsers: { parameters: account, visibility: [open(owner)] },
  isUser: { parameters: account, visibility: [open(owner)] },
  createPost: {
    parameters: ({ unique }) => ({ message: `hello @a_friend #tag ${unique}` }),
    visibility: [
      filtered('a mention of the account', (scene) => ({ message: `@${scene.owner.username}` }), showsMention),
    ],
  },
  createDraft: {
    parameters: ({ unique }) => ({ message: `hello ${unique}` }),
    // BEGIN, the lock, the draft, COMMIT.
    statements: 4,
    keyedStatements: 6,
    visibility: [open(() => ({ message: 'hello' }))],
  },
  showDraft: {
    parameters: ({ spare }) => ({ id: String(spare.draft) }),
    visibility: [open(() => ({ id: 1 }), notFound)],
  },
  listDrafts: { parameters: nothing, visibility: [open()] },
  updateDraft: {
    parameters: ({ spare, unique }) => ({ id: String(spare.draft), version: '1', message: `hello ${unique}` }),
    statements: 2,
    keyedStatements: 6,
    visibility: [open(() => ({ id: 1, version: 1, message: 'hello' }), notFound)],
  },
  scheduleDraft: {
    parameters: ({ spare }) => ({ id: String(spare.draft), publish_at: tomorrow }),
    // The draft, BEGIN, the draft and the account are locked, the draft, COMMIT.
    statements: 6,
    keyedStatements: 8,
    visibility: [open(() => ({ id: 1, publish_at: tomorrow }), notFound)],
  },
  publishDraft: {
    parameters: ({ spare }) => ({ id: String(spare.draft) }),
    // BEGIN, the draft, the post, its id, COMMIT.
    statements: 5,
    keyedStatements: 7,
    visibility: [open(() => ({ id: 1 }), notFound)],
  },
  rejectDraft: {
    parameters: ({ spare }) => ({ id: String(spare.proposal), reason: 'Too early' }),
    visibility: [open(() => ({ id: 1 }), notFound)],
  },
  deleteDraft: {
    parameters: ({ spare }) => ({ id: String(spare.draft) }),
    visibility: [open(() => ({ id: 1 }), notFound)],
  },
  showPost: {
    parameters: ({ post }) => ({ id: String(post) }),
    visibility: [
      aboutPost(({ post }) => ({ id: post }), showsSecret),
      filtered('a mention of the account', ({ mention }) => ({ id: mention }), showsMention),
    ],
  },
  lookUpPosts: {
    parameters: ({ post }) => ({ id: `${String(post)},1` }),
    visibility: [
      filtered('the post', ({ post }) => ({ id: post }), showsSecret),
      filtered(
        'a mention of the account',
        ({ mention }) => ({ id: mention }),
        ({ items: [found] }, scene) => showsMention({ items: found }, scene),
      ),
    ],
  },
  editPost: {
    parameters: ({ spare, unique }) => ({ id: String(spare.post), message: `hello @a_friend ${unique}` }),
    // BEGIN, the lock, the edit, COMMIT.
    statements: 4,
    keyedStatements: 6,
    visibility: [aboutOwn('the post', ({ post }) => ({ id: post, message: 'new' }))],
  },
  listPostHistory: {
    parameters: ({ post }) => ({ id: String(post) }),
    visibility: [aboutPost(({ post }) => ({ id: post }), showsSecret)],
  },
  listPosts: {
    // By then the account is protected, so the second statement reads the page for the viewer. The third reads texts
    // that no list has shown yet, and remembers them.
    statements: 3,
    parameters: (world) => ({ user_id: String(world.account) }),
    visibility: [
      aboutAccount('the posts of the account', (scene) => ({ user_id: scene.owner.id }), showsSecret),
      filtered('a repost of the post', ({ approved }) => ({ user_id: approved.id }), showsSecret),
    ],
  },
  updatePostSettings: {
    parameters: ({ post }) => ({ id: String(post), commenters: 'followers', sensitive: '1' }),
    visibility: [aboutOwn('the post', ({ post }) => ({ id: post, commenters: 'mentioned' }))],
  },
  deleteQuote: {
    parameters: ({ spare }) => ({ id: String(spare.quote) }),
    visibility: [
      { ...aboutOwn('the post, which quotes nothing', ({ post }) => ({ id: post })), expected: quotesNothing },
    ],
  },
  deletePost: {
    parameters: ({ spare }) => ({ id: String(spare.post) }),
    visibility: [aboutOwn('the post', ({ post }) => ({ id: post }))],
  },
  listFeed: {
    parameters: nothing,
    visibility: [
      { ...filtered('the post, reposted by a followed account', nothing, showsSecret), leavesOutMuted: true },
    ],
  },
  listHashtagPosts: {
    parameters: () => ({ hashtag: 'tag' }),
    visibility: [filtered('the post', ({ secret }) => ({ hashtag: secret }), showsSecret)],
  },
  searchHashtags: {
    parameters: () => ({ hashtag: 't' }),
    visibility: [filtered('a hashtag of the post', ({ secret }) => ({ hashtag: secret.slice(0, 20) }), showsSecret)],
  },
  listTrendingHashtags: { parameters: nothing, visibility: [open()] },
  showHashtag: { parameters: () => ({ hashtag: 'tag' }), visibility: [open(() => ({ hashtag: 'tag' }))] },
  followHashtag: { parameters: () => ({ hashtag: 'tag' }), visibility: [open(({ secret }) => ({ hashtag: secret }))] },
  unfollowHashtag: {
    parameters: () => ({ hashtag: 'tag' }),
    visibility: [open(({ secret }) => ({ hashtag: secret }))],
  },
  listFollowedHashtags: { parameters: nothing, visibility: [open()] },
  searchPosts: {
    parameters: () => ({ query: 'tag' }),
    visibility: [
      { ...filtered('the post', ({ secret }) => ({ query: secret }), showsSecret), leavesOutMuted: true },
      filtered(
        'the posts of the account',
        ({ owner: { username }, secret }) => ({ query: `from:${username} ${secret}` }),
        showsSecret,
      ),
    ],
  },
  searchUsers: {
    // The account once it is renamed: several worlds may share a database.
    parameters: (world) => ({ query: `@renamed_${world.unique}` }),
    visibility: [open((scene) => ({ query: scene.owner.username }))],
  },
  listPublicTimeline: { parameters: nothing, visibility: [open()] },
  createComment: {
    parameters: (world) => ({ ...item(world), text: `hello ${world.unique}` }),
    visibility: [aboutPost((scene) => ({ ...postItem(scene), text: 'seen' }))],
  },
  showComment: {
    parameters: ({ spare }) => ({ id: String(spare.comment) }),
    visibility: [
      aboutPost(({ comment }) => ({ id: comment }), showsSecret),
      filtered(
        'a comment that mentions the account',
        ({ mentioningComment }) => ({ id: mentioningComment }),
        showsMention,
      ),
    ],
  },
  listMentions: { parameters: nothing, visibility: [filtered('a mention in the post', nothing, showsSecret)] },
  listNotifications: {
    parameters: nothing,
    visibility: [filtered('a mention in a comment on the post, and the replies to it', nothing, showsSecret)],
  },
  countUnreadNotifications: { parameters: nothing, visibility: [open()] },
  readNotifications: {
    parameters: () => ({ id: '1' }),
    statements: 2,
    keyedStatements: 6,
    visibility: [open(() => ({ id: 1 }))],
  },
  showNotificationPreferences: { parameters: nothing, visibility: [open()] },
  updateNotificationPreferences: { parameters: () => ({ like: '0' }), visibility: [open()] },
  showPushKey: { parameters: nothing, statements: 0, visibility: [open()] },
  addPush: { parameters: () => push, visibility: [open(() => push)] },
  deletePush: {
    parameters: () => ({ endpoint: push.endpoint }),
    visibility: [open(() => ({ endpoint: push.endpoint }))],
  },
  listComments: { parameters: item, visibility: [aboutPost(postItem)] },
  deleteComment: {
    parameters: ({ spare }) => ({ id: String(spare.comment) }),
    visibility: [
      aboutOwn('a comment on the post', ({ comment }) => ({ id: comment })),
      aboutGuest('a comment of somebody else on the post', ({ guestComment }) => ({ id: guestComment })),
    ],
  },
  addLike: { parameters: item, visibility: [aboutPost(postItem)] },
  deleteLike: { parameters: item, visibility: [aboutPost(postItem)] },
  isLiked: { parameters: item, visibility: [aboutPost(postItem)] },
  listLikes: { parameters: item, visibility: [aboutPost(postItem)] },
  addRepost: { parameters: item, visibility: [aboutPost(postItem)] },
  deleteRepost: { parameters: item, visibility: [aboutPost(postItem)] },
  isReposted: { parameters: item, visibility: [aboutPost(postItem)] },
  listReposts: { parameters: item, visibility: [aboutPost(postItem)] },
  addBookmark: { parameters: item, visibility: [aboutPost(postItem)] },
  deleteBookmark: { parameters: item, visibility: [aboutPost(postItem)] },
  listBookmarks: { parameters: nothing, visibility: [open()] },
  listFavorites: {
    parameters: account,
    visibility: [filtered('the post, liked by another', ({ approved }) => ({ id: approved.id }), showsSecret)],
  },
  listFollowers: { parameters: account, visibility: [openWithoutBlock('followers', owner)] },
  listFollowing: { parameters: account, visibility: [openWithoutBlock('followed accounts', owner)] },
  listSuggested: { parameters: nothing, visibility: [open()] },
  addFollow: { parameters: friend, visibility: [openWithoutBlock('a follow', owner, malformed), open(other)] },
  deleteFollow: { parameters: friend, visibility: [open(other)] },
  isFollowing: { parameters: friend, visibility: [open(owner)] },
  listFollowRequests: { parameters: nothing, visibility: [open()] },
  approveFollow: { parameters: friend, visibility: [open(other, notFound)] },
  rejectFollow: { parameters: friend, visibility: [open(other)] },
  deleteFollower: { parameters: friend, visibility: [open(other)] },
  addBlock: { parameters: friend, statements: 4, keyedStatements: 6, visibility: [open(other)] },
  deleteBlock: { parameters: friend, visibility: [open(other)] },
  listBlocks: { parameters: nothing, visibility: [open()] },
  addMute: {
    parameters: (world) => ({ ...friend(world), ends_at: '2099-01-01T00:00:00Z' }),
    visibility: [open(other)],
  },
  deleteMute: { parameters: friend, visibility: [open(other)] },
  listMutes: { parameters: nothing, visibility: [open()] },
  addFilter: {
    parameters: ({ unique }) => ({ text: unique, match: 'part', ends_at: '2099-01-01T00:00:00Z' }),
    visibility: [open(() => ({ text: 'word' }))],
  },
  deleteFilter: {
    parameters: ({ spare }) => ({ id: String(spare.filter) }),
    visibility: [open(() => ({ id: 1 }), notFound)],
  },
  listFilters: { parameters: nothing, visibility: [open()] },
  createReport: {
    parameters: (world) => ({ item_id: String(world.friend), type: 'account', reason: 'spam', text: 'Look at this' }),
    statements: 4,
    keyedStatements: 6,
    visibility: [
      aboutOthers(postItem),
      aboutOthers(({ comment }) => ({ item_id: comment, type: 'comment' })),
      open(({ other: { id } }) => ({ item_id: id, type: 'account', reason: 'spam' })),
    ],
  },
  uploadMedia: {
    parameters: ({ imageUrl }) => ({ media: imageUrl }),
    keyedStatements: 6,
    visibility: [open(() => ({ media: 'ftp://example.org/' }), malformed)],
  },
  listMedia: {
    parameters: (world) => ({ user_id: String(world.account) }),
    visibility: [aboutAccount('the media of the account', (scene) => ({ user_id: scene.owner.id }), showsMedia)],
  },
  showMedia: {
    parameters: ({ spare }) => ({ id: String(spare.media) }),
    visibility: [aboutPost(({ media }) => ({ id: media.id }), showsMedia)],
  },
  updateMedia: {
    parameters: ({ spare }) => ({ id: String(spare.media), alt: 'A loom' }),
    visibility: [aboutOwn('media of the post', ({ media }) => ({ id: media.id, alt: 'A loom' }), { alt: 'A loom' })],
  },
  deleteMedia: {
    parameters: ({ spare }) => ({ id: String(spare.media) }),
    visibility: [aboutOwn('media of the post', ({ media }) => ({ id: media.id }))],
  },
};

/** The case of a row. @throws Error when the row has none. */
export function caseOf(name: string): EndpointCase {
  const found = endpointCases[name];
  if (found === undefined) throw new Error(`add a case for ${name} to endpoint-cases.ts`);
  return found;
}
