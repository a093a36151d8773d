import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';

import { unzipSync } from 'fflate';
import { expect, test } from 'vitest';

import { docstring, snakeCase } from '../generator/python-text.ts';
import { annotateParameter, createPythonTypes } from '../generator/python-types.ts';
import { createWheel } from '../generator/wheel.ts';

const project = fileURLToPath(new URL('../python', import.meta.url));

const item = { type: 'object', properties: { text: { type: ['string', 'null'] } }, required: ['text'] };
const page = {
  description: 'A page.',
  properties: {
    items: { type: 'array', items: item, description: 'The "records".' },
    finally: { $ref: '#/components/schemas/Other' },
    verified: { enum: [0, 1] },
  },
  required: ['items', 'finally'],
};
const pageSource = `# A page.
Page = TypedDict(
    "Page",
    {
        "items": "list[PageItemsItem]",
        "finally": "Other",
        "verified": "NotRequired[Literal[0, 1]]",
    },
)
`;

test('objects within objects get classes of their own, and members with the name of a keyword are possible', () => {
  const types = createPythonTypes();
  types.addClass('Page', page);
  expect(types.sources).toEqual(['class PageItemsItem(TypedDict):\n    text: str | None\n', pageSource]);
  expect(() => types.addClass('Page', {})).toThrow('two classes Page');
});

test('a parameter may be a file, and an unknown type is an error', () => {
  expect(annotateParameter({ anyOf: [{ type: 'string' }, { format: 'binary' }] })).toBe('str | Upload');
  expect(() => annotateParameter({ type: 'tuple' })).toThrow('tuple');
});

test('names and docstrings are those of Python', () => {
  expect(['checkUsername', 'is', 'list', 'export'].map(snakeCase)).toEqual(['check_username', 'is_', 'list', 'export']);
  expect(docstring(['Ends with a "quote"'], '  ')).toEqual(['  """Ends with a "quote" """']);
  expect(docstring([undefined, ''], '')).toEqual([]);
  expect(docstring([String.raw`A \ and """`, 'second'], '')).toEqual([
    String.raw`"""A \\ and \"\"\"`,
    '',
    'second',
    '"""',
  ]);
  const long = docstring([`Args:\n    name: ${'word '.repeat(40).trim()}`], '    ');
  expect(long.every((line) => line.length <= 100)).toBe(true);
  expect(long[2]).toMatch(/^ {12}word/);
});

const hashOf = (content: Uint8Array) => `sha256=${createHash('sha256').update(content).digest('base64url')}`;
const textOf = (content: Uint8Array | undefined) => Buffer.from(content ?? []).toString();

test('the wheel is the same each time, and its record has the hash of every file', async () => {
  const [{ name, content }, again] = [await createWheel(project), await createWheel(project)];
  expect(Buffer.compare(content, again.content)).toBe(0);
  const files = unzipSync(content);
  const info = `${name.replace('-py3-none-any.whl', '')}.dist-info`;
  const rows = textOf(files[`${info}/RECORD`]).trimEnd().split('\n');
  const expected = Object.entries(files).map(([path, file]) =>
    path.endsWith('/RECORD') ? `${path},,` : `${path},${hashOf(file)},${String(file.length)}`,
  );
  expect(rows).toEqual(expected);
  const needed = ['linnet_sdk/calls.py', 'linnet_sdk/py.typed', `${info}/licenses/LICENSE`];
  expect(Object.keys(files)).toEqual(expect.arrayContaining(needed));
  expect(textOf(files[`${info}/METADATA`])).toContain('\nRequires-Python: >=3.9\n');
});
