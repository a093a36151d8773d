import type { Row } from './valid-rows.ts';

type InvalidRow = [
  table:
    | 'post_like'
    | 'post_version'
    | 'post_hashtag'
    | 'post_search'
    | 'account_search'
    | 'word_filter'
    | 'hashtag_follow'
    | 'draft'
    | 'account_import'
    | 'hashtag_trend'
    | 'link_card'
    | 'bookmark',
  rule: string,
  changes: Row,
  rejectedBy: string,
];

/** Changes of valid rows in the tables of likes, hashtags, words and bookmarks, and the constraint that rejects each. Post 2 is of account 1. */
export const invalidPostRows: InvalidRow[] = [
  ['post_like', 'twice', {}, 'post_like_pkey'],
  ['post_like', 'of an unknown post', { post_id: 999 }, 'post_like_post_id_author_id_fkey'],
  ['post_like', 'of another author', { post_id: 2, author_id: 2 }, 'post_like_post_id_author_id_fkey'],
  ['post_like', 'of nobody', { account_id: 999 }, 'post_like_account_id_fkey'],
  ['post_version', 'twice', {}, 'post_version_pkey'],
  ['post_version', 'that is older than its post', { id: 0 }, 'post_version_id_check'],
  ['post_version', 'of another author', { id: 2, author_id: 2 }, 'post_version_post_id_author_id_fkey'],
  ['post_hashtag', 'twice', {}, 'post_hashtag_pkey'],
  ['post_hashtag', 'that is empty', { hashtag: '' }, 'post_hashtag_hashtag_check'],
  ['post_hashtag', 'of another author', { post_id: 2, author_id: 2 }, 'post_hashtag_post_id_author_id_fkey'],
  ['post_search', 'twice', {}, 'post_search_pkey'],
  ['post_search', 'of another author', { post_id: 2, author_id: 2 }, 'post_search_post_id_author_id_fkey'],
  ['word_filter', 'twice', { id: 2 }, 'word_filter_account_id_folded_key'],
  ['word_filter', 'without words', { id: 2, folded: '' }, 'word_filter_folded_check'],
  ['word_filter', 'of nobody', { id: 2, account_id: 4096 }, 'word_filter_account_id_fkey'],
  ['hashtag_follow', 'twice', { id: 2 }, 'hashtag_follow_pkey'],
  ['hashtag_follow', 'that is empty', { hashtag: '' }, 'hashtag_follow_hashtag_check'],
  ['hashtag_follow', 'of nobody', { account_id: 4096 }, 'hashtag_follow_account_id_fkey'],
  ['draft', 'of nobody', { id: 4096, account_id: 4096 }, 'draft_account_id_fkey'],
  ['draft', 'in another shard', { id: 5 }, 'draft_shard_check'],
  ['draft', 'without a version', { version: 0 }, 'draft_version_check'],
  ['draft', 'proposed by nobody', { status: 'proposed' }, 'draft_client_check'],
  ['draft', 'that waits and was decided', { decided_at: '2026-11-20' }, 'draft_decided_check'],
  ['draft', 'published at no time', { status: 'published' }, 'draft_decided_check'],
  ['draft', 'with a time, and not scheduled', { publish_at: '2026-11-20' }, 'draft_publish_at_check'],
  ['draft', 'scheduled for no time', { status: 'scheduled' }, 'draft_publish_at_check'],
  [
    'draft',
    'scheduled, and failed',
    { status: 'scheduled', publish_at: '2026-11-20', failure: 'x' },
    'draft_failure_check',
  ],
  ['draft', 'that waits, with a reason', { reason: 'No' }, 'draft_reason_check'],
  ['account_import', 'of nobody', { id: 4096, account_id: 4096 }, 'account_import_account_id_fkey'],
  ['account_import', 'of the same file', { id: 2 }, 'account_import_account_id_file_sha256_key'],
  ['account_import', 'of no file', { id: 2, file_sha256: Buffer.alloc(0) }, 'account_import_file_check'],
  [
    'account_import',
    'that runs and is finished',
    { finished_at: '2026-11-20', due_at: null },
    'account_import_finished_at_check',
  ],
  ['account_import', 'that runs and that nobody continues', { due_at: null }, 'account_import_due_at_check'],
  ['account_import', 'with a problem that did not fail', { problem: 'fault' }, 'account_import_problem_check'],
  ['account_import', 'beside another', { id: 2, file_sha256: Buffer.alloc(32, 1) }, 'account_import_open_key'],
  ['account_import', 'in another shard', { id: 5 }, 'account_import_shard_check'],
  ['account_search', 'twice', {}, 'account_search_pkey'],
  ['account_search', 'of nobody', { account_id: 999 }, 'account_search_account_id_fkey'],
  ['hashtag_trend', 'of one account', { hashtag: 'other', accounts: 1 }, 'hashtag_trend_accounts_check'],
  ['hashtag_trend', 'with too few posts', { hashtag: 'other', accounts: 4 }, 'hashtag_trend_accounts_check'],
  ['link_card', 'twice', {}, 'link_card_pkey'],
  ['link_card', 'of another link', { url: 'https://example.com' }, 'link_card_url_check'],
  ['link_card', 'with an empty title', { title: '' }, 'link_card_title_check'],
  ['link_card', 'with too many words', { description: 'x'.repeat(601) }, 'link_card_words_check'],
  ['link_card', 'with a picture of no size', { image: `${'0'.repeat(32)}.png` }, 'link_card_image_check'],
  ['bookmark', 'twice', {}, 'bookmark_pkey'],
  ['bookmark', 'of another author', { post_id: 2, author_id: 2 }, 'bookmark_post_id_author_id_fkey'],
  ['bookmark', 'of nobody', { account_id: 999 }, 'bookmark_account_id_fkey'],
];
