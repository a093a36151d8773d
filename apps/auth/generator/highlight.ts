import { createCssVariablesTheme, createHighlighter } from 'shiki';
import type { BundledLanguage, SpecialLanguage } from 'shiki';

import { placeholders } from '../src/areas/guides/contents.ts';

/** Languages of code blocks, by the name after the fence. */
const grammars: Readonly<Record<string, BundledLanguage | SpecialLanguage>> = {
  sh: 'shellscript',
  ts: 'typescript',
  py: 'python',
  go: 'go',
  java: 'java',
  php: 'php',
  rb: 'ruby',
  json: 'json',
  http: 'http',
  text: 'text',
};

/** Classes of the stylesheet `guides.css`; what is not listed has the colour of text. */
const classes: Readonly<Record<string, string>> = {
  keyword: 'k',
  string: 's',
  'string-expression': 's',
  comment: 'c',
  constant: 'n',
  function: 'f',
};

const theme = createCssVariablesTheme({ name: 'classes' });
const highlighter = await createHighlighter({ themes: [theme], langs: Object.values(grammars) });

/**
 * Renders code as HTML with a class for each kind of token. Code without a language stays as it is.
 * @throws Error for an unknown language, and if a placeholder would be split into several tokens.
 */
export function highlight(code: string, language: string): string {
  if (language === '') return escapeHtml(code);
  const lang = grammars[language];
  if (lang === undefined) throw new Error(`unknown language: ${language}`);
  // Without a time limit: the result may not depend on how busy the machine is.
  const { tokens } = highlighter.codeToTokens(code, { lang, theme: theme.name ?? '', tokenizeTimeLimit: 0 });
  const lines = tokens.map((line) => line.map(({ content, color }) => renderToken(content, color)).join(''));
  const html = mergeAdjacent(lines.join('\n'));
  for (const placeholder of Object.values(placeholders)) {
    if (code.split(placeholder).length !== html.split(placeholder).length) {
      throw new Error(`${placeholder} is in several tokens of\n${code}`);
    }
  }
  return html;
}

function renderToken(content: string, color = ''): string {
  const name = classes[/^var\(--shiki-token-(.*)\)$/.exec(color)?.[1] ?? ''];
  const text = escapeHtml(content);
  return name === undefined || content.trim() === '' ? text : `<span class="${name}">${text}</span>`;
}

/** `<span class="s">'</span><span class="s">a</span>` becomes one element. */
function mergeAdjacent(html: string): string {
  const merged = html.replaceAll(/<span class="(\w)">([^<]*)<\/span><span class="\1">/g, '<span class="$1">$2');
  return merged === html ? html : mergeAdjacent(merged);
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
