import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';

import { SafeLink } from './link.tsx';

function render(href: string): string {
  return renderToString(<SafeLink href={href}>there</SafeLink>);
}

test.each([
  ['https://app.example.com/a?b=c#d', 'https://app.example.com/a?b=c#d'],
  ['http://localhost:5173', 'http://localhost:5173/'],
  ['HTTPS://App.Example.com/"<>', 'https://app.example.com/%22%3C%3E'],
])('UI8: %s is a link', (href, address) => {
  expect(render(href)).toBe(`<a href="${address}" rel="noopener noreferrer nofollow">there</a>`);
});

test.each([
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'java\nscript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://a.example/x',
  'file:///etc/passwd',
  'com.example.app:/callback',
  '//evil.example',
  '/path',
  '',
  'https://',
  'view-source:https://a.example',
])('UI8: %j is only text', (href) => {
  expect(render(href)).toBe('<span>there</span>');
});
