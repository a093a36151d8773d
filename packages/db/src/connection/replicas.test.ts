import { expect, test } from 'vitest';

import { Freshness, PrimaryPolls } from './replicas.ts';

/** A primary and a replica, as far as one process knows them. */
function watch() {
  const [polls, freshness] = [new PrimaryPolls(), new Freshness()];
  return {
    primary: (askedAt: number, lsn: number) => {
      if (polls.add({ askedAt, lsn })) freshness.reset();
      freshness.compare(polls);
    },
    replica: (at: number, lsn: number, isStandby = true) => freshness.read({ isStandby, lsn }, at),
    until: () => freshness.until,
  };
}

test('a replica has what was committed before the last poll of the primary whose end it has replayed', () => {
  const { primary, replica, until } = watch();
  primary(100, 5000);
  expect(until()).toBe(-Infinity);
  replica(150, 5000);
  primary(200, 6000);
  expect(until()).toBe(100);
  replica(250, 5999);
  primary(300, 6000);
  expect(until()).toBe(100);
  replica(350, 6000);
  primary(400, 6000);
  expect(until()).toBe(400);
});

test('a replica that does not respond stays where it was, and a promoted one has nothing', () => {
  const { primary, replica, until } = watch();
  primary(100, 5000);
  replica(150, 5000);
  primary(200, 5000);
  primary(300, 6000);
  expect(until()).toBe(200);
  replica(350, 7000, false);
  primary(400, 8000);
  expect(until()).toBe(-Infinity);
});

test('a replica that is ahead of the primary follows another one, and counts for nothing until it has passed that point', () => {
  const { primary, replica, until } = watch();
  primary(100, 5000);
  replica(150, 5500);
  primary(200, 5400);
  expect(until()).toBe(-Infinity);
  replica(250, 5500);
  primary(300, 5600);
  replica(350, 5500);
  primary(400, 5700);
  expect(until()).toBe(-Infinity);
  replica(450, 5650);
  primary(500, 5800);
  expect(until()).toBe(300);
});

test('a new primary with a shorter log ends what was known of the replicas', () => {
  const { primary, replica, until } = watch();
  primary(100, 5000);
  replica(150, 5000);
  primary(200, 5000);
  expect(until()).toBe(200);
  primary(300, 4900);
  expect(until()).toBe(-Infinity);
  replica(350, 4950);
  primary(400, 4960);
  expect(until()).toBe(300);
});
