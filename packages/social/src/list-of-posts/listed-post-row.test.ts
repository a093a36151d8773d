import { expect, test } from 'vitest';

import { toPage } from '../list/page.ts';
import { maxListedPosts, toSharedPage } from './listed-post-row.ts';
import type { SharedPostColumns } from './listed-post-row.ts';

const reader = 7;
const follower = 8;

function foundRow(
  ids: readonly number[],
): SharedPostColumns & { readonly total: number; readonly hasPreceding: boolean } {
  const zeros = ids.map(() => 0);
  return {
    ...{ total: maxListedPosts, hasPreceding: true, itemIds: ids },
    ...{ likesCounts: zeros, commentsCounts: zeros, repostsCounts: zeros },
    ...{ repostIds: null, repostedIds: [], reposterIds: [], repostTimes: [] },
    ...{
      editedIds: null,
      versionIds: [],
      media: null,
      cards: null,
      quotes: null,
      quotesVary: null,
      accounts: null,
      hiddenIds: [5],
    },
    ...{ likedBy: { [reader]: [11] }, repostedBy: { [follower]: [12] }, bookmarkedBy: { [reader]: [12] } },
    filtersBy: { [reader]: '[9,[["word",false]]]' },
    commentableBy: { [follower]: [11] },
    ...{ restrictedIds: [11], restrictions: ['followers'], sensitiveIds: null },
    approvedFor: { [follower]: ['(5)'] },
    ...{ behindBlocks: null, muting: null },
  };
}

test('each viewer gets its own marks and accounts, and the items of all', () => {
  const found = foundRow([12, 11]);
  const page = toPage({ count: 2, page: 1 }, maxListedPosts);
  const pages = [null, reader, follower, 9].map((viewer) => toSharedPage(found, page, viewer));
  expect(pages.map(({ approved, marked }) => [approved, marked])).toEqual([
    [[], undefined],
    [[], { liked: [11], reposted: null, bookmarked: [12], commentable: null, filters: '[9,[["word",false]]]' }],
    [['(5)'], { liked: null, reposted: [12], bookmarked: null, commentable: [11], filters: null }],
    [[], { liked: null, reposted: null, bookmarked: null, commentable: null, filters: null }],
  ]);
  expect(new Set(pages.map(({ items }) => items)).size).toBe(1);
});

test('pages of different lengths at the end of the window, which come from the same row', () => {
  const found = foundRow([12, 11]);
  const [one, two] = [
    toPage({ count: 1, page: 2999 }, maxListedPosts),
    toPage({ count: 2, page: 1500 }, maxListedPosts),
  ];
  expect([one.offset, one.fetchLimit]).toEqual([two.offset, two.fetchLimit]);
  const lengths = [one, two, one].map((page) => toSharedPage(found, page, null).items.length);
  expect(lengths).toEqual([1, 2, 1]);
});
