import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';

import { assertionReason, patientWait, suppression, todoFormat } from './lint-rules.ts';

RuleTester.describe = describe;
RuleTester.it = test as typeof RuleTester.it;

const tester = new RuleTester({ languageOptions: { parserOptions: { lang: 'ts' } } });

tester.run('suppression', suppression, {
  valid: [
    { name: 'for the next line', code: '// oxlint-disable-next-line no-console -- prints to the terminal\na();' },
    {
      name: 'for two rules',
      code: 'a(); // oxlint-disable-line no-console, import/no-cycle -- prints to the terminal',
    },
    { name: 'in a sentence', code: '// the words oxlint-disable in a sentence\na();' },
  ],
  invalid: [
    rejects('without a reason', { code: '// oxlint-disable-next-line no-console\na();' }),
    rejects('with a reason that is too short', { code: '// oxlint-disable-next-line no-console -- why\na();' }),
    rejects('without a rule', { code: '// oxlint-disable-next-line -- prints to the terminal\na();' }),
    rejects('for a file', { code: '\n/* oxlint-disable no-console -- prints to the terminal */\na();', written: 2 }),
    rejects('that enables', { code: '\n/* oxlint-enable no-console -- prints to the terminal */\na();', written: 2 }),
    rejects('for its own line', { code: 'a(); // oxlint-disable-line\nb();\nc();', reported: 3 }),
  ],
});

interface Rejected {
  readonly code: string;
  /** The line of the comment, and the line of the report. */
  readonly written?: number;
  readonly reported?: number;
}

function rejects(name: string, { code, written = 1, reported = 1 }: Rejected) {
  return { name, code, errors: [{ message: new RegExp(`^Line ${String(written)}: `), line: reported }] };
}

tester.run('assertion-reason', assertionReason, {
  valid: [
    { name: 'a comment next to it', code: 'const a = b as A; // b is always an A' },
    { name: 'a comment above it', code: '// b is always an A\nconst a = b as A;' },
    { name: 'a comment above its statement', code: '// b is an A\nf({\n  a: b as A,\n});' },
    { name: 'as const', code: "const a = ['a'] as const;" },
    { name: 'as unknown', code: 'const a = b as unknown;' },
    { name: 'through unknown', code: 'const a = b as unknown as A; // for the old interface' },
  ],
  invalid: [
    { name: 'no comment', code: 'const a = b as A;', errors: 1 },
    { name: 'a comment elsewhere', code: '// b is an A\n\nconst a = b as A;', errors: 1 },
    { name: 'a comment on the function', code: '// b is an A\nfunction f() {\n  return b as A;\n}', errors: 1 },
    { name: 'no comment, through unknown', code: 'const a = b as unknown as A;', errors: 1 },
  ],
});

tester.run('todo-format', todoFormat, {
  valid: ['// @TODO(#12) faster', '// @NOTE surprising but right', "const text = 'TODO';"],
  invalid: [
    { code: '// TODO faster', errors: 1 },
    { code: '// @TODO faster', errors: 1 },
    { name: 'FIXME', code: '/** FIXME */\na();', errors: 1 },
  ],
});

tester.run('patient-wait', patientWait, {
  valid: ['vi.waitFor(f, 50_000);', 'vi.waitUntil(f, { timeout: 120_000, interval: 5 });', 'page.waitFor(f);'],
  invalid: ['vi.waitFor(f);', 'vi.waitUntil(f, 15_000);', 'vi.waitFor(f, { interval: 60_000 });'].map((code) => ({
    code,
    errors: 1,
  })),
});
