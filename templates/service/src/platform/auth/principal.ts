/** The caller of a request: `authenticate.ts` sets `request.principal`. */

/** An authenticated user. */
export interface Principal {
  readonly userId: string;
  readonly username: string;
  readonly roles: ReadonlySet<string>;
  /** The stored hash of the password; undefined if the credential is a token. */
  readonly passwordHash?: string;
}

/** Whether the principal has the role `admin`, which has all permissions. */
export const isAdmin = (principal: Principal | undefined): boolean =>
  principal?.roles.has('admin') === true;
