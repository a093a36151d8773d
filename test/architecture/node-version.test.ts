import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

const read = (name: string): string => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');

test('pnpm checks the engines of packages against the Node that runs the project, so that the first start warns of none', () => {
  const version = /"node": "(\d+\.\d+\.\d+)"/.exec(read('package.json'))?.[1];
  expect(version).toBeDefined();
  expect(/^nodeVersion: (.*)$/m.exec(read('pnpm-workspace.yaml'))?.[1]).toBe(version);
});
