import { expect, test } from 'vitest';

import { splitPost } from './post-segments.ts';

test.each([
  ['#one #One', ['one'], ['#one', '#One']],
  ['see #می\u200Cخواهم، #می.', ['می\u200Cخواهم', 'می'], ['#می\u200Cخواهم', '#می']],
  ['#ab\u200Ccd', ['ab'], ['#ab']],
  ['#ශ\u0DCA\u200Dරී', ['ශ\u0DCA\u200Dරී'], ['#ශ\u0DCA\u200Dරී']],
  ['#1️⃣ 1️⃣#one #one1️⃣', ['one', 'one1'], ['#one', '#one1']],
  ['a#one #oneself #one_2 #one', ['one'], ['#one']],
])('the hashtags of %j are those that the API found: %j', (text, found, shown) => {
  const hashtags = found.map((tag) => ({ text: tag, indices: [0, 0] as [number, number] }));
  const segments = splitPost({ text, hashtags, urls: [], mentions: [], user_definition: [] });
  expect(segments.filter(({ kind }) => kind === 'hashtag').map((segment) => segment.text)).toEqual(shown);
  expect(segments.map((segment) => segment.text).join('')).toBe(text);
});
