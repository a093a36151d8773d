import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { accountRows } from './rows/accounts.ts';
import { apiRows } from './rows/api.ts';
import { consentRows } from './rows/consent.ts';
import { limitRows } from './rows/limits.ts';
import { mediaRows } from './rows/media.ts';
import { objectRows } from './rows/objects.ts';
import { postRows } from './rows/posts.ts';
import { tokenRows } from './rows/tokens.ts';
import { readSpecification } from './specification.ts';
import type { Proof } from './row.ts';
import { openWorld } from './world.ts';
import type { World } from './world.ts';

/** One test for each sentence of `docs/api/microblog-rest-api.md`, named by the sentence. */

const rows = [accountRows, apiRows, consentRows, limitRows, mediaRows, objectRows, postRows, tokenRows].flatMap(
  (group) =>
    Object.entries(group).flatMap(([heading, proofs]) =>
      Object.entries(proofs).map(([beginning, proof]) => ({ heading, beginning, proof })),
    ),
);

/** Sentences about the document, not about the service. */
const aboutDocument = new Set([
  'Addresses are written as {base_url}.',
  'Client applications can:',
  'Rules that are stated:',
  'Events: not shown.',
]);

const sentences = readSpecification().filter(({ text }) => !aboutDocument.has(text));

function proofsOf(heading: string, text: string): Proof[] {
  return rows.filter((row) => row.heading === heading && text.startsWith(row.beginning)).map(({ proof }) => proof);
}

let world: World;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});

test('every sentence has one row, and every row a sentence', () => {
  expect(sentences.length).toBeGreaterThan(140);
  expect(sentences.filter(({ heading, text }) => proofsOf(heading, text).length !== 1)).toEqual([]);
  const hasSentence = (row: (typeof rows)[number]) =>
    sentences.some(({ heading, text }) => row.heading === heading && text.startsWith(row.beginning));
  expect(rows.filter((row) => !hasSentence(row))).toEqual([]);
});

describe.each([...new Set(sentences.map(({ heading }) => heading))])('%s', (heading) => {
  const below = sentences.filter((sentence) => sentence.heading === heading);
  test.each(below.map(({ text }) => text))('%s', async (text) => {
    const proofs = proofsOf(heading, text);
    expect(proofs).toHaveLength(1);
    for (const proof of proofs) await proof(world);
  });
});
