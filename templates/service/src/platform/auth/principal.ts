/** The principal of a request: the authenticated user. */

/** An authenticated user. */
export interface Principal {
  readonly userId: string;
  readonly username: string;
  readonly roles: ReadonlySet<string>;
  /** The stored hash of the password; undefined if the credential is a token. */
  readonly passwordHash?: string;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if the request has no credential. */
    principal: Principal | undefined;
  }
}

/** Whether the principal has the role `admin`, which has all permissions. */
export const isAdmin = (principal: Principal | undefined): boolean =>
  principal?.roles.has('admin') === true;
