import type { Files } from './planted-repository.ts';

const service = 'packages/service/src';
const uncounted = '// Comments and blank lines are not counted.\n\n';

function repeat(count: number, line: (index: string) => string): string {
  return Array.from({ length: count }, (_none, index) => line(String(index))).join('\n');
}

function functionOf(name: string, statements: string): string {
  return `export function ${name}(value: number): number {\n${statements}\nreturn value;\n}`;
}

/** The types of packages, as far as the modules below use them. */
export const packageTypes: Files = {
  'node_modules/vitest/lib/index.d.ts': `
    export function test(name: string, run: () => void): void;
    export function expect(value: unknown): { toBe(other: unknown): void };
    export const vi: { mock(path: string): void };`,
  'node_modules/preact/package.json':
    '{ "version": "1.0.0", "exports": { "./jsx-runtime": { "types": "./jsx.d.ts" } } }',
  'node_modules/preact/jsx.d.ts': `
    export namespace JSX { type Element = object; interface IntrinsicElements { [name: string]: object } }
    export function jsx(): JSX.Element;`,
};

/** Code without violations, just within the limits. */
export const allowedCode: Files = {
  [`${service}/config.ts`]: `export const home = process.env['HOME'];`,
  [`${service}/lines.ts`]: uncounted + repeat(300, (index) => `export const n${index} = ${index};`),
  [`${service}/lines.test.ts`]: `
    import { expect, test } from 'vitest';
    ${repeat(400, (index) => `test('${index}', () => expect(1).toBe(1));`)}`,
  [`${service}/function-lines.ts`]: functionOf('long', `${uncounted}${'value.toFixed();\n'.repeat(47)}`),
  [`${service}/complexity.ts`]: functionOf('branch', 'if (value === 1) return 0;\n'.repeat(9)),
  [`${service}/depth.ts`]: functionOf('deep', 'if (value > 1) if (value > 2) if (value > 3) return 4;'),
  [`${service}/parameters.ts`]: 'export function three(a: string, b: string, c: string): string { return a + b + c; }',
  [`${service}/suppressed.ts`]: `
    export function say(): void {
      // oxlint-disable-next-line no-console -- this line is for the terminal
      console.log('said');
    }`,
  [`${service}/assertion.ts`]: `
    export function parse(text: string): { readonly id: string } {
      return JSON.parse(text) as { readonly id: string }; // we wrote it, one line above
    }
    export const kinds = ['a', 'b'] as const;`,
  [`${service}/code-points.ts`]:
    'export function letters(text: string): string[] { return [...text]; }\nexport type Four = 4;',
  [`${service}/assertion.test.ts`]: `
    import { expect, test } from 'vitest';
    test('an answer', () => expect((JSON.parse('{}') as { id?: string }).id).toBe(undefined));`,
  'apps/auth/src/pages/views/picture.tsx': `export function Picture() { return <img src="/a.png" alt="A letter" />; }`,
  'prisma.config.ts': `export default { url: process.env['DATABASE_URL'] };`,
};

/** A rule, a module that violates it, and the source of that module. */
export const plantedLintViolations: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['eslint(max-lines)', `${service}/long.ts`, repeat(301, (index) => `export const n${index} = ${index};`)],
  ['eslint(max-lines)', `${service}/long.test.ts`, repeat(451, (index) => `export const n${index} = ${index};`)],
  [
    'eslint(max-lines-per-function)',
    `${service}/long-function.ts`,
    functionOf('long', 'value.toFixed();\n'.repeat(49)),
  ],
  ['eslint(complexity)', `${service}/complex.ts`, functionOf('branch', 'if (value === 1) return 0;\n'.repeat(10))],
  [
    'eslint(max-depth)',
    `${service}/deep.ts`,
    functionOf('deep', 'if (value > 1) { if (value > 2) { if (value > 3) { if (value > 4) { return 5; } } } }'),
  ],
  [
    'eslint(max-params)',
    `${service}/four.ts`,
    'export function four(a: string, b: string, c: string, d: string): string { return a + b + c + d; }',
  ],
  ['unicorn(filename-case)', `${service}/camelCase.ts`, 'export const a = 1;'],
  ['import(no-default-export)', `${service}/default.ts`, 'const a = 1;\nexport default a;'],
  ['oxc(no-barrel-file)', `${service}/barrel.ts`, `export * from './code-points.ts';`],
  [
    'import(consistent-type-specifier-style)',
    `${service}/inline-type.ts`,
    `import { type Four, letters } from './code-points.ts';\nexport const four: Four = 4;\nexport const a = letters('a');`,
  ],
  ['node(no-process-env)', `${service}/environment-reader.ts`, `export const home = process.env['HOME'];`],
  [
    'eslint(no-restricted-imports)',
    `${service}/environment-import.ts`,
    `import { env } from 'node:process';\nexport const home = env['HOME'];`,
  ],
  [
    'typescript(no-floating-promises)',
    `${service}/floating.ts`,
    'export function start(): void { work(); }\nasync function work(): Promise<void> { await Promise.resolve(); }',
  ],
  [
    'typescript(no-misused-promises)',
    `${service}/misused.ts`,
    `import { createServer } from 'node:http';
     export const server = createServer(async (_request, response) => { await Promise.resolve(); response.end(); });`,
  ],
  ['typescript(no-explicit-any)', `${service}/any.ts`, 'export function take(value: any): void { void value; }'],
  [
    'typescript(no-unsafe-member-access)',
    `${service}/unsafe.ts`,
    'export function read(text: string): unknown { return JSON.parse(text).member; }',
  ],
  ['typescript(TS2322)', `${service}/type-error.ts`, `export const n: number = 'text';`],
  // Found only with our compiler options: a test that no tsconfig.json includes is checked with the defaults.
  [
    'typescript(TS4111)',
    `${service}/type-error.test.ts`,
    'export const home = (values: Record<string, string>) => values.home;',
  ],
  [
    'typescript(TS4111)',
    'test/e2e/type-error.ts',
    'export const home = (values: Record<string, string>) => values.home;',
  ],
  ['typescript(TS2322)', 'vitest.config.ts', `const n: number = 'text';\nexport default n;`],
  ['eslint(no-console)', `${service}/console.ts`, `export function say(): void { console.log('said'); }`],
  ['unicorn(no-process-exit)', `${service}/exit.ts`, 'export function leave(): void { process.exit(1); }'],
  [
    'eslint(no-restricted-properties)',
    `${service}/coerce.ts`,
    'declare const z: { readonly coerce: string };\nexport const coerced = z.coerce;',
  ],
  [
    'vitest(no-restricted-vi-methods)',
    `${service}/mock.test.ts`,
    `import { vi } from 'vitest';\nvi.mock('./code-points.ts');`,
  ],
  [
    'jsx-a11y(alt-text)',
    'apps/auth/src/pages/views/image.tsx',
    `export function Image() { return <img src="/a.png" />; }`,
  ],
  [
    'react(no-danger)',
    'apps/auth/src/pages/views/raw.tsx',
    `export function Raw() { return <p dangerouslySetInnerHTML={{ __html: '<b>' }} />; }`,
  ],
  ['linnet(suppression)', `${service}/no-reason.ts`, '// oxlint-disable-next-line no-console\nconsole.log(1);'],
  ['linnet(suppression)', `${service}/whole-file.ts`, '/* oxlint-disable */\nconsole.log(1);'],
  ['linnet(assertion-reason)', `${service}/no-assertion-reason.ts`, `export const n = JSON.parse('1') as number;`],
  [
    'linnet(patient-wait)',
    `${service}/impatient.ts`,
    'declare const vi: { readonly waitFor: (f: () => number) => number };\nexport const waited = vi.waitFor(() => 1);',
  ],
  ['linnet(todo-format)', `${service}/todo.ts`, '// TODO: some day\nexport const a = 1;'],
  [
    'Unused oxlint-disable directive (no problems were reported).',
    `${service}/unused-suppression.ts`,
    '// oxlint-disable-next-line no-console -- nothing to suppress here\nexport const a = 1;',
  ],
];
