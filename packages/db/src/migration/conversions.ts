import { foldCase, toSearchVector } from '../text/search-words.ts';

/** Rows that a data migration has read, and those that it stores; values are those of JSON. */
type Rows = readonly Readonly<Record<string, unknown>>[];

/**
 * What data migrations with an `input` do with the rows of a batch, by the name of the migration. A function must not change once it
 * has been released.
 */
export const conversions: Readonly<Record<string, (rows: Rows) => Rows>> = {
  '20261221000000_fill_hashtags': (rows) =>
    rows.flatMap(({ id, author_id, hashtags }) =>
      foldHashtags(hashtags).map((hashtag) => ({ post_id: id, author_id, hashtag })),
    ),
  '20261224000000_fill_post_search': (rows) =>
    rows.map(({ id, author_id, text, has_media }) => ({
      post_id: id,
      author_id,
      words: toSearchVector(String(text), has_media === true),
    })),
  '20261229000000_fill_account_search': (rows) =>
    rows.map(({ id, display_name, first_name, last_name }) => ({
      id,
      display_name: toSearchVector(String(display_name), false),
      first_name: toSearchVector(String(first_name), false),
      last_name: toSearchVector(String(last_name), false),
    })),
};

const maxHashtagLength = 100;

function foldHashtags(hashtags: unknown): readonly string[] {
  const texts = (Array.isArray(hashtags) ? hashtags : []).flatMap((one: { readonly text?: unknown }) =>
    typeof one.text === 'string' ? [foldCase(one.text)] : [],
  );
  return [...new Set(texts)].filter((hashtag) => [...hashtag].length <= maxHashtagLength);
}
