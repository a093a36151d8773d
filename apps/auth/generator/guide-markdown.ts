/** What readers and agents copy: programs that say how to run them, and guides whose links work anywhere. */
import { placeholders } from '../src/areas/guides/contents.ts';
import type { Guide } from '../src/areas/guides/contents.ts';
import { pagePaths } from '../src/pages/views/page-paths.ts';

/** A program in a guide, with its file. */
const program = /^```(ts|py) (\S+)\n([\s\S]*?)^```$/gm;

const languages = {
  ts: {
    mark: '//',
    needs: 'Node 22.18 or newer',
    install: 'npm install',
    run: 'node',
    imported: /^import .* from '((?:@\w+\/)?[\w-]+)';$/gm,
    variable: /\bprocess\.env\.(\w+)/g,
  },
  py: {
    mark: '#',
    needs: 'Python 3.9 or newer',
    install: 'pip install',
    run: 'python3',
    imported: /^(?:from|import) (\w+)/gm,
    variable: /\bos\.environ\W+(?:get\W+)?(\w+)/g,
  },
} as const;

type Language = keyof typeof languages;

/** What `install` takes, by the name in imports. Everything else comes with the language. */
const packages = new Map<string, string>([
  ['@linnet/sdk', placeholders.baseUrl + pagePaths.sdkArchive],
  ['linnet_sdk', placeholders.baseUrl + pagePaths.sdkWheel],
  ['jose', 'jose'],
  ['requests', 'requests'],
]);

/** Begins each program with the name of its file and the commands that run it. */
export function addRunLines(markdown: string): string {
  return markdown.replaceAll(program, (...[, language, file, code]: readonly [string, Language, string, string]) => {
    const { mark, needs, install, run, imported, variable } = languages[language];
    const names = findAll(imported, code).flatMap((name) => packages.get(name) ?? []);
    const commands = [
      ...(names.length === 0 ? [] : [`${install} ${names.join(' ')}`]),
      ...findAll(variable, code).map((name) => `export ${name}=YOUR_${name}`),
      `${run} ${file}`,
    ];
    const lines = [`${mark} ${file}, with ${needs}:`, ...commands.map((command) => `${mark}   ${command}`)];
    return `\`\`\`${language} ${file}\n${lines.join('\n')}\n\n${code}\`\`\``;
  });
}

/** What the group of the expression matches, once each. */
function findAll(expression: RegExp, text: string): readonly string[] {
  return [...new Set([...text.matchAll(expression)].map(([, found = '']) => found))];
}

/** The guide with complete links: to the Markdown form of other guides, and to pages. */
export function toMarkdownForm(markdown: string): string {
  return markdown
    .replaceAll(/\]\(([a-z-]+)\.md(#[\w-]*)?\)/g, (_all, slug: string, anchor = '') => `](${addressOf(slug)}${anchor})`)
    .replaceAll(/\]\((\/[^)\s]*)\)/g, `](${placeholders.baseUrl}$1)`);
}

const addressOf = (slug: string) => placeholders.baseUrl + pagePaths.guideMarkdown(slug);

/** `/llms.txt` (https://llmstxt.org): where a language model finds the documentation. */
export function listForModels([overview, ...others]: readonly Guide[]): string {
  const { baseUrl } = placeholders;
  if (overview === undefined) throw new Error('there is no guide');
  const links = [overview, ...others].map(
    ({ slug, title, description }) => `- [${title}](${addressOf(slug)}): ${description}`,
  );
  return `# Linnet

> ${overview.description}

## Guides

${links.join('\n')}

## Reference

- [OpenAPI document](${baseUrl}/api/v2.0/openapi.json): every endpoint, with its parameters, responses and errors
- [Errors](${baseUrl}${pagePaths.problems}): each code with its cause and its fix
- [Authorization server](${baseUrl}/.well-known/oauth-authorization-server): its metadata
`;
}
