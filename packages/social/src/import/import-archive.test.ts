import { expect, test } from 'vitest';
import { z } from 'zod';

import { listOf } from './import-archive.ts';

test('a list ends at its first wrong item: what millions of them mean is not kept', () => {
  const { data } = listOf(z.object({ id: z.int() })).safeParse([{ id: 1, more: 2 }]);
  expect(data).toEqual([{ id: 1 }]);
  const { error } = listOf(z.object({ id: z.int() })).safeParse([{ id: 1 }, 'two', 'three', 'four']);
  expect(error?.issues).toMatchObject([{ path: [1] }]);
});
