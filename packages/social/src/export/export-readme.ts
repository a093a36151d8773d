import { exportFiles } from '@linnet/contract/export-files';

/** Explains the files of an export to the person. */
export function exportReadme(baseUrl: string): string {
  const files = Object.entries(exportFiles).map(([name, { text }]) => `${name}\n  ${text}\n`);
  return `Your data on ${baseUrl}

This is everything that the service stores about your account and shows to you.
All files except this one and your pictures are JSON, in UTF-8. Times are in UTC.
Ids of posts and comments (item_id, comment_id) are those of their addresses.

schema.json
  A JSON Schema for programs: "properties" describes each file by its name.
${files.join('')}media/
  Your pictures in full size, as the service stores them. "file" in media.json names
  each. A picture whose file is lost is missing.
`;
}
