/** Renders a guide from Markdown to HTML, at build time: the service needs neither a parser nor a highlighter. */
import { Marked } from 'marked';
import type { Tokens } from 'marked';

import type { Guide, GuideSection } from '../src/areas/guides/contents.ts';
import { overviewSlug } from '../src/areas/guides/contents.ts';
import { groupCode, renderCode } from './code-blocks.ts';
import { escapeHtml } from './highlight.ts';

interface RenderedGuide extends Guide {
  /** What follows the title and the first paragraph. */
  readonly html: string;
  /** The text of each section, for the search. */
  readonly texts: readonly GuideText[];
}

interface GuideText extends GuideSection {
  readonly text: string;
  readonly code: string;
}

/** @throws Error if the file does not start with a title and a paragraph. */
export function renderGuide(slug: string, markdown: string): RenderedGuide {
  const marked = new Marked({ renderer });
  const [title, ...tokens] = marked.lexer(markdown).filter(({ type }) => type !== 'space' && type !== 'html');
  const lead = tokens.shift();
  if (title?.type !== 'heading' || lead?.type !== 'paragraph') throw new Error(`${slug}: no title with a paragraph`);
  const parts = groupCode(tokens).map((part, index) =>
    'type' in part ? marked.parser([part]) : renderCode(part, `example-${String(index)}`),
  );
  const html = parts.join('\n');
  const sections = [...html.matchAll(/<h2 id="([^"]*)"><a [^>]*>(.*?)<\/a><\/h2>/g)].map(
    ([, id = '', heading = '']) => ({
      id,
      heading: plainText(heading),
    }),
  );
  const description = plainText(marked.parser([lead]));
  const [first = '', ...rest] = html.split(/<h2 [^>]*>.*?<\/h2>/);
  return {
    slug,
    title: plainText(marked.parseInline(String(title.text), { async: false })),
    description,
    sections,
    html,
    texts: [
      { id: '', heading: '', text: `${description} ${readText(first)}`.trim(), code: readCode(first) },
      ...sections.map((section, index) => ({ ...section, text: readText(rest[index]), code: readCode(rest[index]) })),
    ],
  };
}

const readText = (html = '') => plainText(html.replaceAll(/<pre>.*?<\/pre>/gs, ' '));
const readCode = (html = '') => plainText([...html.matchAll(/<pre>.*?<\/pre>/gs)].join(' '));

const renderer = {
  heading(this: { parser: { parseInline: (tokens: Tokens.Generic[]) => string } }, token: Tokens.Heading): string {
    const content = this.parser.parseInline(token.tokens);
    const level = String(token.depth);
    const id = toAnchor(plainText(content));
    return `<h${level} id="${id}"><a href="#${id}">${content}</a></h${level}>`;
  },
  link(this: { parser: { parseInline: (tokens: Tokens.Generic[]) => string } }, token: Tokens.Link): string {
    return `<a href="${escapeHtml(toAddress(token.href))}">${this.parser.parseInline(token.tokens)}</a>`;
  },
};

/** A link to a section of another file leads to its page. */
function toAddress(href: string): string {
  const [, slug, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  if (slug === undefined) return href;
  return (slug === overviewSlug ? '/developers' : `/developers/${slug}`) + anchor;
}

/** As GitHub names the headings of a document. */
function toAnchor(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\d\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** The text without elements, on one line. */
function plainText(html: string): string {
  return html
    .replaceAll(/<figcaption>.*?<\/figcaption>|<legend.*?<\/legend>|<label.*?<\/label>/g, ' ')
    .replaceAll(/<\/?(?:p|h\d|li|ul|ol|pre|td|th|tr|figure|fieldset|blockquote|table)\b[^>]*>/g, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
