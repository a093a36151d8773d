/** The rules of names in the README of this room. */
import { readFileSync } from 'node:fs';

import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { oauthOperations } from './openapi/oauth/oauth-operations.ts';
import { bitSchema } from './object-fields.ts';
import { routesByName, streamsByName } from './routes.ts';

const specification = readFileSync(new URL('../../../docs/api/microblog-rest-api.md', import.meta.url), 'utf8');
const specified = new Set(specification.match(/(?:GET|POST) \/[\w/]+/g));

const routes = [...Object.values(routesByName), ...Object.values(streamsByName)];
const ownRoutes = routes.filter(({ methods, path }) => !methods.some((method) => specified.has(`${method} ${path}`)));

/** Last segments of paths that write. */
const verbs = new Set([
  'add',
  'approve',
  'create',
  'delete',
  'edit',
  'narrow',
  'publish',
  'schedule',
  'read',
  'reject',
  'revoke',
  'update',
]);

/** First words of summaries. */
const summaryVerbs = [
  ...['Add', 'Approve', 'Authorize', 'Block', 'Bookmark', 'Change', 'Check', 'Count', 'Create', 'Delete', 'Describe'],
  ...['Edit', 'Export', 'Follow', 'Get', 'Introspect', 'Like', 'List', 'Listen', 'Look', 'Mark', 'Mute', 'Narrow'],
  ...[
    'Publish',
    'Schedule',
    'Push',
    'Register',
    'Reject',
    'Remove',
    'Repost',
    'Request',
    'Revoke',
    'Search',
    'Send',
    'Start',
    'Unblock',
  ],
  ...['Undo', 'Unfollow', 'Unlike', 'Unmute', 'Update', 'Upload'],
];

function membersOf(schema: z.ZodType): Readonly<Record<string, z.core.$ZodType>> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

test('the specification names some calls, and others are ours', () => {
  expect(specified.size).toBeGreaterThan(15);
  expect(ownRoutes.map(({ path }) => path)).toContain('/bookmarks/add');
  expect(ownRoutes.map(({ path }) => path)).not.toContain('/likes/add');
});

test.each(routes.map(({ id, path }) => [id, path]))('the id %s follows the path %s', (id, path) => {
  const name = path.slice(1).replaceAll(/[/_]/g, '-');
  expect([name, `${name}-list`]).toContain(id);
});

test('a write ends in a verb, and nothing is called remove', () => {
  const writes = ownRoutes.filter(({ writes: isWrite }) => isWrite).map(({ path }) => path);
  expect(writes.filter((path) => !verbs.has(path.split('/').at(-1) ?? ''))).toEqual([]);
  expect(routes.filter(({ path }) => /\bremove/.test(path))).toEqual([]);
});

const summaries = [...routes.map(({ summary }) => summary), ...oauthOperations.map(({ title }) => title)];

test.each(summaries)('“%s” is in sentence case and begins with a verb', (summary) => {
  expect(summaryVerbs).toContain(summary.split(' ')[0]);
  expect(summary).toMatch(/^[A-Z][a-z]+(?: \(?(?:[a-z]+(?:-[a-z]+)*|[A-Z]{2,})\)?)*$/);
});

describe('parameters', () => {
  const parameters = routes.map(({ path, input }) => [path, Object.keys(membersOf(input))] as const);
  const having = (name: string) => parameters.filter(([, names]) => names.includes(name));

  test('`item_id` and `type` name an item, without `id`', () => {
    expect(having('item_id').length).toBeGreaterThan(5);
    expect(having('item_id')).toEqual(having('type'));
    expect(having('item_id').filter(([, names]) => names.includes('id'))).toEqual([]);
  });

  test('only the text of a post is sent as `message`', () => {
    const paths = ['/post/create', '/post/edit', '/drafts/create', '/drafts/update'];
    expect(having('message').map(([path]) => path)).toEqual(paths);
  });
});

describe('responses', () => {
  test('one object is bare, except a post or comment as the specification wraps it', () => {
    const wrapping = routes.filter(({ output }) => {
      const { items } = membersOf(output);
      return items !== undefined && !(items instanceof z.ZodArray);
    });
    const paths = wrapping.map(({ path }) => path).toSorted();
    expect(paths).toEqual(['/comment/show', '/post/create', '/post/edit', '/post/settings/update', '/post/show']);
  });

  test('`response` has states, 1 or 0', () => {
    const marks = ownRoutes.filter(({ output }) => 'response' in membersOf(output));
    expect(marks.length).toBeGreaterThan(5);
    const others = marks.filter(({ output }) => {
      const states = Object.values((membersOf(output)['response'] as z.ZodObject).shape);
      return !states.every((state) => state === bitSchema);
    });
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  test('a deletion has `status` and `message`, or the number or the state of a mark', () => {
    const deletions = routes.filter(({ path }) => path.endsWith('/delete'));
    expect(deletions.length).toBeGreaterThan(8);
    for (const { output } of deletions) {
      expect([['status', 'message'], ['count'], ['response']]).toContainEqual(Object.keys(membersOf(output)));
    }
  });
});
