import { describe, expect, test } from 'vitest';

import { createResponseCheck } from './documented-responses.ts';

const checkResponse = createResponseCheck('https://linnet.example');

const exists = {
  target: 'GET /users/is?id=1',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: { response: { user: 0 }, exists: true },
};
const refused = {
  target: 'GET /users/is?id=x',
  status: 400,
  contentType: 'application/problem+json',
  body: {
    type: 'https://linnet.example/problems/invalid-parameter',
    title: 'A parameter is missing or invalid',
    status: 400,
    detail: '`id` must be a positive integer.',
    code: 'invalid-parameter',
    errors: [{ parameter: 'id', code: 'invalid', detail: 'must be an integer' }],
    request_id: '1',
  },
};

test.each([
  exists,
  refused,
  { ...exists, target: 'HEAD /users/is?id=1', body: '' },
  { ...refused, target: 'DELETE /users/is', status: 405, body: { ...refused.body, status: 405 } },
  { ...refused, target: 'GET /nothing', status: 404, body: { ...refused.body, status: 404, code: 'unknown-endpoint' } },
  { ...exists, target: 'OPTIONS /users/is', status: 204, contentType: '', body: '' },
])('accepts a documented response: $target $status', (response) => {
  expect(() => checkResponse(response)).not.toThrow();
});

describe('a response that differs from the document fails:', () => {
  test.each([
    ['a member of another type', { ...exists, body: { response: { user: '0' }, exists: true } }, '/response/user'],
    ['a member that is missing', { ...exists, body: { response: { user: 0 } } }, 'exists'],
    ['a member that is not named', { ...exists, body: { ...exists.body, more: 1 } }, 'additional'],
    ['another status', { ...exists, status: 201 }, '201 is not documented'],
    ['another type of content', { ...exists, contentType: 'text/html' }, 'text/html is not documented'],
    ['a problem as plain JSON', { ...refused, contentType: 'application/json' }, 'is not documented'],
    ['a problem without its code', { ...refused, body: { ...refused.body, code: undefined } }, 'code'],
    ['a code of another status', { ...refused, body: { ...refused.body, code: 'not-found' } }, '/code'],
    ['a code that the call does not state', { ...refused, status: 404, body: { ...refused.body, status: 404 } }, '404'],
    ['a status in the body that is another', { ...refused, body: { ...refused.body, status: 404 } }, '/status'],
    ['a success where there is no such call', { ...exists, target: 'GET /nothing' }, '200 is not documented'],
    ['a date that is none', showComments({ created_at: 'yesterday' }), '/created_at'],
    ['a member inside an object of a list', showComments({ secret: 'x' }), 'additional'],
  ])('%s', (_name, response, message) => {
    expect(() => checkResponse(response)).toThrow(message);
  });

  test('a documented response passes', () => {
    expect(() => checkResponse(showComments({}))).not.toThrow();
  });
});

function showComments(more: object) {
  const user = {
    objectType: 'account',
    kind: 'linnet#account',
    id: 1,
    username: 'ada_lovelace',
    displayName: 'Ada Lovelace',
    name: { first_name: 'Ada', last_name: 'Lovelace' },
    description: '',
    country: '',
    link: 'https://linnet.example/@ada_lovelace',
    verified: 0,
    avatar: 'https://linnet.example/media/avatars/1.png',
    action: { followers: 0, following: 0, posts: 0 },
  };
  const comment = {
    id: 1,
    text: 'x',
    created: 'Fri, Nov 20, 2026 3:04 PM',
    created_at: '2026-11-20T15:04:05.123Z',
    link: 'https://linnet.example/p/1#comment-1',
    item_id: 1,
    parent_id: 0,
    user,
    hashtags: [],
    urls: [],
    mentions: [],
    user_definition: [],
    ...more,
  };
  return {
    target: 'GET /comment?item_id=1&type=post',
    status: 200,
    contentType: 'application/json',
    body: { total: 1, count: 1, items: [comment] },
  };
}
