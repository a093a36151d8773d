/** Replaces what differs between two runs of the same calls: ids, times, cursors, names and sizes of files. */
import { toCreated } from '@linnet/social/view-context';

const firstId = 114_582_761_947_136;
const firstTime = Date.parse('2026-11-20T15:04:05.123Z');
const fileSize = 48_213;
const requestId = '0b5f3c7e-6d0f-4b54-9c3e-0a8c5f6f2a11';

/** Of a media file or a generated avatar. */
const hexName = /\b(?:[0-9a-f]{32}|[0-9a-f]{16}(?=\.png))\b/g;

/** The recorded value in its stable form. Ids keep their order; what is newer has a later time. */
export function stabilize<Value>(recorded: Value): Value {
  const marked = JSON.stringify(mark(recorded));
  const ids = [...new Set(marked.match(/\b\d{15,16}\b/g) ?? [])].toSorted((a, b) => Number(a) - Number(b));
  const files = [...new Set(marked.match(hexName) ?? [])];
  const text = marked
    .replaceAll(/\b\d{15,16}\b/g, (id) => String(firstId + ids.indexOf(id) * 4096))
    .replaceAll(hexName, (name) => nameOfFile(files.indexOf(name), name.length))
    .replaceAll(/"<cursor ([^>]+)>"/g, (_match, position: string) => `"${Buffer.from(position).toString('base64url')}"`)
    .replaceAll(/"<(created|edited) (\d+)>"/g, (_match, what: string, id: string) => `"${toCreated(timeOf(what, id))}"`)
    .replaceAll(
      /"<(created|edited)_at (\d+)>"/g,
      (_match, what: string, id: string) => `"${timeOf(what, id).toISOString()}"`,
    );
  return JSON.parse(text) as Value; // the same members
}

/** A minute for each id, and a day until it is edited. */
function timeOf(what: string, id: string): Date {
  const days = what === 'edited' ? 1 : 0;
  return new Date(firstTime + ((Number(id) - firstId) / 4096) * 60_000 + days * 86_400_000);
}

function nameOfFile(index: number, length: number): string {
  return (index + 0x5e_ed)
    .toString(16)
    .padStart(8, '0')
    .repeat(length / 8);
}

/** Marks times with the id of their record, and cursors with what they contain. */
function mark(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(mark);
  if (typeof node !== 'object' || node === null) return node;
  const { id, item_id: itemId }: { id?: unknown; item_id?: unknown } = node;
  const own = String(id ?? itemId);
  const marks: Readonly<Record<string, (value: unknown) => unknown>> = {
    created: () => `<created ${own}>`,
    created_at: () => `<created_at ${own}>`,
    edited: () => `<edited ${own}>`,
    edited_at: () => `<edited_at ${own}>`,
    cursor: markCursor,
    next: markCursor,
    prev: markCursor,
    publish_at: () => '2026-12-24T18:00:00.000Z',
    filesize: () => fileSize,
    size: () => fileSize,
    request_id: () => requestId,
  };
  return Object.fromEntries(Object.entries(node).map(([name, value]) => [name, marks[name]?.(value) ?? mark(value)]));
}

function markCursor(value: unknown): unknown {
  return typeof value === 'string' ? `<cursor ${Buffer.from(value, 'base64url').toString()}>` : value;
}
