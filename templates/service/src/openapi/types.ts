/** The parts of an OpenAPI 3.1 document that this service writes, as types. */

/** A JSON Schema of the dialect that OpenAPI 3.1 has (2020-12). */
export type Schema = Readonly<Record<string, unknown>>;

/** Leads to a part of the document that stands once, under `components`. */
export type Reference = Readonly<Record<'$ref', string>>;

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly example?: unknown;
}

/** By media type. */
export type Content = Readonly<Record<string, MediaType>>;

export interface RequestBody {
  readonly description?: string;
  readonly required: boolean;
  readonly content: Content;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
  readonly links?: Readonly<Record<string, object>>;
}

/** By status. */
export type Responses = Readonly<Record<number, Response | Reference>>;

/** What one method of one path does. */
export interface Operation {
  /** What a generated client calls it: unique in the document. */
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  /** The schemes that do; an empty one means that no credential is needed. */
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly requestBody?: RequestBody;
  readonly responses: Responses;
}

/** What is at one path. HEAD answers what GET does, and is not named. */
export interface PathItem {
  /** Of all operations. */
  readonly parameters?: readonly (Parameter | Reference)[];
  readonly get?: Operation;
  readonly post?: Operation;
  readonly put?: Operation;
  readonly patch?: Operation;
  readonly delete?: Operation;
}

/** By path; a parameter stands in braces. */
export type Paths = Readonly<Record<string, PathItem>>;

/** A group of operations. */
export interface Tag {
  readonly name: string;
  readonly description: string;
}

/** A whole document. */
export interface Document {
  readonly openapi: string;
  readonly info: object;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly Tag[];
  readonly paths: Paths;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}
