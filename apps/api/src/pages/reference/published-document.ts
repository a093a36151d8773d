/** The parts of the OpenAPI document that the reference reads, as they are in its JSON. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly example?: unknown;
}

export interface Media {
  readonly schema?: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

type Content = Readonly<Record<string, Media>>;

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema?: Schema;
  readonly description?: string;
  readonly example?: unknown;
}

export interface Response {
  readonly $ref?: string;
  readonly content?: Content;
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
}

type Server = readonly { readonly url: string }[];

interface PathItem {
  readonly get?: Operation;
  readonly post?: Operation;
  readonly servers?: Server;
}

export interface PublishedDocument {
  readonly servers: Server;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

/** `text`: the document as it is served. */
export function readPublished(text: string): PublishedDocument {
  return JSON.parse(text) as PublishedDocument; // built from our rows
}

/** The named schema that a schema refers to, or itself. */
export function resolveSchema({ components }: PublishedDocument, schema: Schema = {}): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {});
}

/** The named response that a response refers to, or itself. */
export function resolveResponse({ components }: PublishedDocument, response: Response): Response {
  return response.$ref === undefined ? response : (components.responses[nameOf(response.$ref)] ?? {});
}

/** The last part of a reference within the document. */
export function nameOf($ref: string): string {
  return $ref.replace(/.*\//, '');
}
