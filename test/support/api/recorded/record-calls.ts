import { computeTrends } from '@linnet/social/hashtag/trend-store';
import { push, tomorrow } from '../endpoint-cases.ts';
import { proposePost } from '../endpoint-world.ts';
import type { RunningApi } from '../running-api.ts';
import { clientId } from './recorder.ts';
import type { Recorder } from './recorder.ts';

/** The records that the recorded calls are about. */
export interface RecordedWorld {
  readonly ada: number;
  readonly grace: number;
  readonly alan: number;
  /** A protected account. */
  readonly mary: number;
  readonly post: number;
  /** A post on which only mentioned accounts can comment. */
  readonly restricted: number;
  readonly comment: number;
  readonly media: number;
}

const password = 'correct horse';

/** Records a call of every operation, in an order in which each succeeds. Changes nothing that a later one needs. */
export async function recordCalls(recorder: Recorder, api: RunningApi, imageUrl: string): Promise<RecordedWorld> {
  const people = await recordRegistration(recorder);
  const world = { ...people, ...(await recordPosts(recorder, people, imageUrl)) };
  await recordDrafts(recorder, api, world.ada);
  await recordReactions(recorder, world);
  await recordNotifications(recorder, world);
  await recordHashtags(recorder, api, world);
  await recordFollows(recorder, world);
  await recordAccounts(recorder, world);
  await recordSafety(recorder, world);
  await recordGrants(recorder, api, world);
  return world;
}

/** Records the calls that delete what others need. */
export async function recordDeletions(recorder: Recorder, world: RecordedWorld): Promise<void> {
  const { ada, grace, alan } = world;
  await recorder.record('exportAccount', { as: ada });
  await recorder.record('deleteComment', { as: grace, parameters: { id: world.comment } });
  await recorder.record('deletePost', { as: ada, parameters: { id: world.post } });
  await recorder.record('updateMedia', { as: ada, parameters: { id: world.media, alt: 'A difference engine' } });
  await recorder.record('deleteMedia', { as: ada, parameters: { id: world.media } });
  await recorder.record('deleteAccount', { as: alan, parameters: { password } });
}

type People = Pick<RecordedWorld, 'ada' | 'grace' | 'alan' | 'mary'>;

async function recordRegistration({ record, prepare }: Recorder): Promise<People> {
  const register = async (first_name: string, last_name: string) => {
    const parameters = { first_name, last_name, email: `${first_name.toLowerCase()}@example.org`, password };
    return (await prepare('registerAccount', { parameters })).user.id;
  };
  const ada = await register('Ada', 'Lovelace');
  const grace = { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org', password };
  const registered = await record('registerAccount', { parameters: grace });
  const [alan, mary] = [await register('Alan', 'Turing'), await register('Mary', 'Somerville')];
  await record('isEmail', { parameters: { email: 'grace@example.org' } });
  await record('isEmail', { parameters: { email: 'grace@example.org' }, byOtherMethod: true });
  await record('checkUsername', { parameters: { username: 'grace_hopper' } });
  await prepare('updateAccount', { as: mary, parameters: { protected: true } });
  return { ada, grace: registered.user.id, alan, mary };
}

async function recordPosts(recorder: Recorder, { ada, grace }: People, imageUrl: string) {
  const { record, prepare } = recorder;
  const alt = 'Wheels of brass in a wooden frame';
  const upload = await record('uploadMedia', { as: ada, parameters: { media: imageUrl, alt } });
  const media = upload.finally.media_id;
  const { media_id: other } = (await prepare('uploadMedia', { as: ada, parameters: { media: imageUrl } })).finally;
  const text = 'Hello #Linnet, hello @grace_hopper';
  const created = await record('createPost', { as: ada, parameters: { message: text }, title: 'A post' });
  const withMedia = { message: 'The engine, at last', attachments: [media, other] };
  const { items: pictured } = await record('createPost', {
    as: ada,
    parameters: withMedia,
    title: 'A post with pictures',
  });
  const restricted = pictured.id;
  const settings = { id: restricted, commenters: 'mentioned', sensitive: true };
  await record('updatePostSettings', { as: ada, parameters: settings });
  await record('createPost', { as: ada, parameters: { message: 'Hello by GET' }, byOtherMethod: true });
  const post = created.items.id;
  await record('showPost', { as: ada, parameters: { id: post } });
  await record('lookUpPosts', { as: ada, parameters: { id: [post, 1] } });
  await record('listPosts', { as: ada, parameters: { user_id: ada, count: 2 } });
  const quoting = { message: 'Good news', quote_id: post };
  const { items: quote } = await record('createPost', {
    as: grace,
    parameters: quoting,
    title: 'A post that quotes another',
  });
  await record('deleteQuote', { as: ada, parameters: { id: quote.id } });
  await prepare('deletePost', { as: grace, parameters: { id: quote.id } });
  const draft = await prepare('createPost', { as: ada, parameters: { message: 'The engine, at lst' } });
  const edited = { id: draft.items.id, message: 'The engine, at last' };
  await record('editPost', { as: ada, parameters: edited });
  await record('listPostHistory', { as: grace, parameters: { id: draft.items.id } });
  const item = { item_id: post, type: 'post' };
  const { id: comment } = await record('createComment', { as: grace, parameters: { ...item, text: 'Well said' } });
  const reply = { ...item, parent_id: comment, text: 'Thank you, @grace_hopper' };
  await record('createComment', { as: ada, parameters: reply, title: 'A reply' });
  await record('createComment', { as: ada, parameters: { ...item, text: 'Thank you' }, byOtherMethod: true });
  await record('showComment', { as: ada, parameters: { id: comment } });
  await record('listMentions', { as: grace, parameters: { count: 2 } });
  await record('listComments', { as: ada, parameters: item });
  await prepare('createPost', { as: grace, parameters: { message: 'A nanosecond is 30 cm long' } });
  return { post, restricted, comment, media };
}

async function recordDrafts({ record, prepare }: Recorder, api: RunningApi, ada: number): Promise<void> {
  const { id } = await record('createDraft', { as: ada, parameters: { message: 'The engine, at lst' } });
  await record('showDraft', { as: ada, parameters: { id } });
  await record('listDrafts', { as: ada });
  await record('updateDraft', { as: ada, parameters: { id, version: 1, message: 'The engine, at last' } });
  await record('publishDraft', { as: ada, parameters: { id, version: 2 } });
  const proposal = await proposePost(api, ada, 'Good morning, everybody');
  await record('rejectDraft', { as: ada, parameters: { id: proposal, reason: 'Not in my words' } });
  const spare = await prepare('createDraft', { as: ada, parameters: { message: 'Never mind' } });
  await record('scheduleDraft', { as: ada, parameters: { id: spare.id, publish_at: tomorrow } });
  await record('deleteDraft', { as: ada, parameters: { id: spare.id } });
}

async function recordReactions({ record }: Recorder, { ada, grace, post }: RecordedWorld): Promise<void> {
  const parameters = { item_id: post, type: 'post' };
  await record('addLike', { as: grace, parameters });
  await record('isLiked', { as: grace, parameters });
  await record('listLikes', { as: ada, parameters });
  await record('listFavorites', { as: ada, parameters: { id: grace } });
  await record('addBookmark', { as: ada, parameters });
  await record('listBookmarks', { as: ada });
  await record('addRepost', { as: grace, parameters });
  await record('isReposted', { as: grace, parameters });
  await record('listReposts', { as: ada, parameters });
  await record('listFeed', { as: grace, parameters: { count: 2 } });
  await record('listPublicTimeline', { as: grace, parameters: { count: 2 } });
  await record('deleteLike', { as: grace, parameters });
  await record('deleteBookmark', { as: ada, parameters });
  await record('deleteRepost', { as: grace, parameters });
}

async function recordNotifications({ record }: Recorder, { ada }: RecordedWorld): Promise<void> {
  const { items } = await record('listNotifications', { as: ada, parameters: { count: 2 } });
  await record('countUnreadNotifications', { as: ada });
  await record('readNotifications', { as: ada, parameters: { id: items[0].id } });
  await record('showNotificationPreferences', { as: ada });
  await record('updateNotificationPreferences', { as: ada, parameters: { like: false } });
}

async function recordHashtags({ record, prepare }: Recorder, { db }: RunningApi, { ada, grace }: RecordedWorld) {
  await prepare('createPost', { as: grace, parameters: { message: 'A bug in #linnet, of all things' } });
  await computeTrends(db);
  await record('listHashtagPosts', { as: ada, parameters: { hashtag: 'linnet', count: 2 } });
  await record('searchPosts', { as: ada, parameters: { query: '"a bug" linnet', count: 2 } });
  await record('searchHashtags', { as: ada, parameters: { hashtag: 'lin' } });
  await record('listTrendingHashtags', { as: ada });
  await record('followHashtag', { as: ada, parameters: { hashtag: 'Linnet' } });
  await record('showHashtag', { as: ada, parameters: { hashtag: 'linnet' } });
  await record('listFollowedHashtags', { as: ada });
  await record('unfollowHashtag', { as: ada, parameters: { hashtag: 'linnet' } });
}

async function recordFollows({ record, prepare }: Recorder, { ada, grace, alan, mary }: RecordedWorld): Promise<void> {
  await record('addFollow', { as: ada, parameters: { id: grace } });
  await record('isFollowing', { as: ada, parameters: { id: grace } });
  await record('listFollowing', { as: ada, parameters: { id: ada } });
  await record('listFollowers', { as: ada, parameters: { id: grace } });
  await record('listSuggested', { as: ada, parameters: { count: 2 } });
  await record('deleteFollow', { as: ada, parameters: { id: grace } });
  for (const as of [ada, grace]) await prepare('addFollow', { as, parameters: { id: mary } });
  await prepare('addFollow', { as: alan, parameters: { id: mary } });
  await record('listFollowRequests', { as: mary });
  await record('approveFollow', { as: mary, parameters: { id: ada } });
  await record('rejectFollow', { as: mary, parameters: { id: grace } });
  await record('deleteFollower', { as: mary, parameters: { id: ada } });
}

async function recordAccounts({ record }: Recorder, { ada, alan, grace, media }: RecordedWorld): Promise<void> {
  await record('showUser', { as: ada, parameters: { username: 'grace_hopper' } });
  await record('lookUpUsers', { as: ada, parameters: { username: ['grace_hopper', 'nobody_here'] } });
  await record('searchUsers', { as: ada, parameters: { query: 'hopper', count: 2 } });
  await record('isUser', { parameters: { id: grace } });
  const profile = { description: 'Wrote the first program.', country: 'London' };
  await record('updateAccount', { as: ada, parameters: profile });
  await record('updateUsername', { as: alan, parameters: { username: 'turing_machine' } });
  await record('listMedia', { as: ada, parameters: { user_id: ada } });
  await record('showMedia', { as: ada, parameters: { id: media } });
}

async function recordSafety({ record }: Recorder, { ada, grace, alan }: RecordedWorld): Promise<void> {
  await record('addMute', { as: ada, parameters: { id: grace, ends_at: '2099-01-01T00:00:00Z' } });
  await record('listMutes', { as: ada });
  await record('deleteMute', { as: ada, parameters: { id: grace } });
  const filter = await record('addFilter', {
    as: ada,
    parameters: { text: 'spoiler', ends_at: '2099-01-01T00:00:00Z' },
  });
  await record('listFilters', { as: ada });
  await record('deleteFilter', { as: ada, parameters: { id: filter.id } });
  await record('addBlock', { as: ada, parameters: { id: alan } });
  await record('listBlocks', { as: ada });
  await record('deleteBlock', { as: ada, parameters: { id: alan } });
  const text = 'Advertises pills under every post';
  await record('createReport', { as: ada, parameters: { item_id: alan, type: 'account', reason: 'spam', text } });
}

async function recordGrants({ record }: Recorder, { db }: RunningApi, { ada, alan }: RecordedWorld): Promise<void> {
  await db.prisma.application.create({ data: { ownerId: alan, clientId, name: 'Weather', type: 'public' } });
  const grant = { id: 'recorded', accountId: ada, clientId, kind: 'consent' as const, scopes: ['users', 'posts'] };
  const { number } = await db.prisma.grant.create({ data: grant });
  await record('listGrants', { as: ada });
  await record('narrowGrant', { as: ada, parameters: { id: Number(number), scope: 'users' } });
  await record('showPushKey', { as: ada });
  await record('addPush', { as: ada, parameters: push });
  await record('deletePush', { as: ada, parameters: { endpoint: push.endpoint } });
  await record('revokeGrant', { as: ada, parameters: { id: Number(number) } });
}
