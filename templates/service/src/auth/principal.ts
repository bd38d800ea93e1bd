/** Who makes a request: nobody that is known, or a user with their roles. */

/** A user who has shown a credential. */
export interface Principal {
  readonly userId: string;
  readonly username: string;
  readonly roles: ReadonlySet<string>;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where the request carries no credential. */
    principal: Principal | undefined;
  }
}

/** Administrators may do everything. */
export const isAdmin = (principal: Principal | undefined): boolean =>
  principal?.roles.has('admin') === true;
