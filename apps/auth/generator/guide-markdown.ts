/** What readers and agents copy: programs that say how to run them, and guides whose links work anywhere. */
import { placeholders } from '../src/areas/guides/contents.ts';
import type { Guide } from '../src/areas/guides/contents.ts';
import { pagePaths } from '../src/pages/views/page-paths.ts';

/** A program in a guide, with its file. */
const program = /^```(ts|py|go|java|php|rb) (\S+)\n(<\?php\n)?([\s\S]*?)^```$/gm;

/** `<!-- programs: file … -->`: the same example in other languages. */
const otherPrograms = /^<!-- programs: (.*) -->$/gm;

/** `run` starts a program, `runInstalled` one that uses packages, if that differs. */
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
  go: {
    mark: '//',
    needs: 'Go 1.24 or newer',
    install: 'go mod init example && go get',
    run: 'go run',
    imported: /^\t"(\S+)"$/gm,
    variable: /\bos\.Getenv\("(\w+)"\)/g,
  },
  java: {
    mark: '//',
    needs: 'Java 17 or newer',
    install: 'mvn dependency:copy -DoutputDirectory=lib',
    run: 'java',
    runInstalled: "java -cp 'lib/*'",
    imported: /^import (com\.nimbusds\.\w+)\b/gm,
    variable: /\bSystem\.getenv\("(\w+)"\)/g,
  },
  php: {
    mark: '//',
    needs: 'PHP 8.1 or newer and its extension curl',
    install: 'composer require',
    run: 'php',
    runInstalled: 'php -S 127.0.0.1:4000',
    imported: /^use (\w+)\\JWT\\JWT;$/gm,
    variable: /\bgetenv\('(\w+)'\)/g,
  },
  rb: {
    mark: '#',
    needs: 'Ruby 3.1 or newer',
    install: '',
    run: 'ruby',
    // Programs install gems themselves, with bundler/inline.
    imported: /^(?!)()/gm,
    variable: /\bENV\.fetch\('(\w+)'\)/g,
  },
} as const;

type Language = keyof typeof languages;

/** What `install` takes, by the name in imports. Everything else comes with the language. */
const packages = new Map<string, string>([
  ['@linnet/sdk', placeholders.baseUrl + pagePaths.sdkArchive],
  ['linnet_sdk', placeholders.baseUrl + pagePaths.sdkWheel],
  ['jose', 'jose'],
  ['requests', 'requests'],
  ['github.com/coreos/go-oidc/v3/oidc', 'github.com/coreos/go-oidc/v3/oidc@v3.21.0'],
  ['golang.org/x/oauth2', 'golang.org/x/oauth2@v0.37.0'],
  ['com.nimbusds.jose', '-Dartifact=com.nimbusds:nimbus-jose-jwt:10.10'],
  ['Firebase', 'firebase/php-jwt:7.0.5'],
]);

/** Inserts the programs that a guide names. `read` returns the content of one. */
export function addPrograms(markdown: string, read: (file: string) => string): string {
  return markdown.replaceAll(otherPrograms, (_all, files: string) =>
    files
      .split(' ')
      .map((file) => `\`\`\`${file.replace(/.*\./, '')} ${file}\n${read(file)}\`\`\``)
      .join('\n\n'),
  );
}

type Parts = readonly [all: string, Language, file: string, opening: string | undefined, code: string];

/** Begins each program with the name of its file and the commands that run it. */
export function addRunLines(markdown: string): string {
  return markdown.replaceAll(program, (...[, language, file, opening = '', code]: Parts) => {
    const { mark, needs, install, run, imported, variable, ...own } = languages[language];
    const names = findAll(imported, code).flatMap((name) => packages.get(name) ?? []);
    const commands = [
      ...(names.length === 0 ? [] : [`${install} ${names.join(' ')}`]),
      ...findAll(variable, code).map((name) => `export ${name}=YOUR_${name}`),
      `${names.length > 0 && 'runInstalled' in own ? own.runInstalled : run} ${file}`,
    ];
    const lines = [`${mark} ${file}, with ${needs}:`, ...commands.map((command) => `${mark}   ${command}`)];
    return `\`\`\`${language} ${file}\n${opening}${lines.join('\n')}\n\n${code}\`\`\``;
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
