import { expect } from 'vitest';

import type { Rows } from '../row.ts';
import { createPost, upload } from '../writing.ts';

/** Media. */

export const mediaRows: Rows = {
  Media: {
    'POST /media/upload |': async ({ alice, baseUrl, imageUrl }) => {
      const form = new FormData();
      form.set('media', imageUrl('jpeg'));
      const multipart = await fetch(`${baseUrl}/api/v2.0/media/upload`, {
        method: 'POST',
        headers: { authorization: `Bearer ${alice.accessToken}`, accept: 'application/json' },
        body: form,
      });
      const json = await alice.call('POST /media/upload', { media: imageUrl('png') });
      for (const [status, body] of [
        [multipart.status, await multipart.json()],
        [json.status, json.body],
      ]) {
        expect([status, Object.keys(body)]).toEqual([200, ['status', 'finally']]);
      }
      expect((await alice.call('POST /media/upload', {})).status).toBe(400);
      expect((await alice.call('POST /media/upload', { media: 'file:///etc/passwd' })).status).toBe(400);
      expect([400, 415, 422]).toContain((await alice.call('POST /media/upload', { media: imageUrl('gif') })).status);
    },
    'GET /media |': async (world) => {
      const { alice } = world;
      const post = await createPost(alice, 'with a picture', await upload(world));
      const unattached = await upload(world);
      const own = (await alice.call('GET /media?count=2')).body;
      expect(own).toMatchObject({ count: 2, items: [{ id: unattached, item_id: 0 }, { item_id: post.id }] });
      // Decisions D34 and D16: without user_id, the acting account; others do not see unattached media.
      const others = (await world.bob.call(`GET /media?user_id=${String(alice.id)}&count=1`)).body;
      expect(others).toMatchObject({ count: 1, items: [{ item_id: post.id }] });
      expect((await alice.call('GET /media?count=1&page=2')).body.items[0].item_id).toBe(post.id);
    },
    'GET /media/show |': async (world) => {
      const id = await upload(world);
      const { status, body } = await world.alice.call(`GET /media/show?id=${String(id)}`);
      const { items, ...record } = body;
      expect(status).toBe(200);
      expect(record).toMatchObject({
        id,
        item_id: 0,
        media: { image: expect.any(String) },
        user: { id: world.alice.id },
      });
      expect(items).toEqual([record]);
      expect((await world.bob.call(`GET /media/show?id=${String(id)}`)).status).toBe(404);
    },
    // Decisions D35: not implemented; an unknown path says so.
    'The upload returns a simple limited service': async ({ alice }) => {
      expect((await alice.call('POST /media/uploads', {})).status).toBe(404);
    },
  },
};
