import { Readable } from 'node:stream';

import { expect, test } from 'vitest';

import type { BucketClient } from './bucket-client.ts';
import { listNames } from './objects.ts';
import type { BucketResponse } from './repeated-requests.ts';

/** Responses of ListObjectsV2, as the documentation of S3 shows them. */
const first = `<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>bucket</Name><Prefix>p/ab/</Prefix><KeyCount>3</KeyCount><MaxKeys>3</MaxKeys><IsTruncated>true</IsTruncated>
  <NextContinuationToken>1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=&amp;&lt;&#x2B;</NextContinuationToken>
  <Contents><Key>p/ab/${'ab'.repeat(16)}.full.png</Key><Size>434234</Size></Contents>
  <Contents><Key>p/ab/${'ab'.repeat(16)}.thumb.png</Key><Size>4</Size></Contents>
  <Contents><Key>p/ab/notes &amp; more.txt</Key><Size>4</Size></Contents>
</ListBucketResult>`;
const last = `<ListBucketResult><IsTruncated>false</IsTruncated>
  <Contents><Key>p/ab/${'ab'.repeat(15)}cd.full.jpg</Key></Contents></ListBucketResult>`;

function clientWith(...pages: readonly string[]) {
  const queries: unknown[] = [];
  const waiting = [...pages];
  const client: Pick<BucketClient, 'send' | 'prefix'> = {
    prefix: 'p/',
    send: ({ query }) => {
      queries.push(query);
      const body = Readable.from([waiting.shift() ?? '']) as BucketResponse['body']; // only its text is read
      return Promise.resolve({ status: 200, headers: {}, body });
    },
  };
  return { client, queries };
}

async function collect(batches: AsyncIterable<readonly string[]>) {
  const collected = [];
  for await (const batch of batches) collected.push(batch);
  return collected;
}

test('names come from every page of a list, with the token of the page before, and other objects are ignored', async () => {
  const { client, queries } = clientWith(first, last);
  const names = await collect(listNames(client, 'ab/'));
  expect(names).toEqual([[`${'ab'.repeat(16)}.png`], [`${'ab'.repeat(15)}cd.jpg`]]);
  const query = { 'list-type': '2', prefix: 'p/ab/', 'max-keys': '500' };
  const token = '1ueGcxLPRx1Tr/XYExHnhbYLgveDs2J/wm36Hy4vbOwM=&<+';
  expect(queries).toEqual([query, { ...query, 'continuation-token': token }]);
});

test('a response without a list is an error, not an empty list', async () => {
  const { client } = clientWith('<Error><Code>SomethingElse</Code></Error>');
  await expect(collect(listNames(client, 'ab/'))).rejects.toThrow('cannot be listed');
});
