import { createTestDatabase } from '@linnet/test/db/test-database';
import { gather, openStream, settle } from '@linnet/test/api/event-listening';
import { startApi } from '@linnet/test/api/running-api';
import { orderEvents } from '@linnet/social/event/event-store';
import { expect, inject, test } from 'vitest';

test('D177 a stream says what limited accounts do only if they are followed', async () => {
  await using database = await createTestDatabase(inject('databaseServer'));
  await using api = await startApi(database.url);
  const { ada, ben, cleo } = await gather(api);
  await ada.follows(ben);
  const post = await ada.writes('hello');
  await orderEvents(api.db);
  using client = await openStream(api, ada);
  const ids = [BigInt(ben.id), BigInt(cleo.id)];
  await api.db.prisma.account.updateMany({ where: { id: { in: ids } }, data: { limitedAt: new Date() } });
  await ben.likes(post);
  await cleo.likes(post);
  await ben.reposts(await cleo.writes('of a limited account'));
  await settle(api, client, ada);
  const events = client.events.slice(0, -1).map(({ data }) => `${data.type} by ${String(data.data.actor_id)}`);
  expect(events).toEqual([`like.created by ${String(ben.id)}`]);
});
