import { readdirSync, readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { renderGuides } from '../../../generator/render-guides.ts';

const folder = new URL('rendered/', import.meta.url);

test('the rendered guides are up to date: `pnpm guides` writes them', () => {
  const written = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')] as const);
  expect(new Map(written)).toEqual(renderGuides());
});
