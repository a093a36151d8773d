import { multipart } from 'formidable';
import type { Part, PluginFunction } from 'formidable';

/**
 * Plugins of formidable that read a multipart body. A part is a file if it has a file name (RFC 7578 §4.2), or the name `fileName` and
 * a type other than text. Formidable itself asks only for a type. But Python's requests sends files without one, and
 * clients in Java send one with text.
 */
export function multipartPlugins(fileName: string | undefined): PluginFunction[] {
  return [
    (form) => {
      form.onPart = (part) => {
        const isFile = hasFileName(part) || (part.name === fileName && !isText(part.mimetype));
        part.mimetype = isFile ? (part.mimetype ?? 'application/octet-stream') : null;
        return form._handlePart(part);
      };
    },
    multipart,
  ];
}

/** Also in the form of RFC 8187, of which formidable does not read the name. The headers are missing in its types. */
function hasFileName(part: Part & { readonly headers?: Readonly<Record<string, string>> }): boolean {
  return /;\s*filename\*?=/i.test(part.headers?.['content-disposition'] ?? '');
}

/** Without a type, a part is text (RFC 7578 §4.4). */
function isText(type: string | null): boolean {
  return type === null || /^text\//i.test(type);
}
