/** `ClientShares` limits what each client holds at once, so that one client cannot take what all of them need. */

/** Counts what clients hold. A client is a key, such as an address or a user. */
export class ClientShares {
  readonly #limit: number;
  /** Clients that hold nothing are not in it. */
  readonly #held = new Map<string, number>();

  /** @param limit how many one client may hold. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts one more for each of the clients. @returns false, with nothing counted, if one of them has its share. */
  take(...clients: readonly string[]): boolean {
    if (clients.some((client) => this.#heldBy(client) >= this.#limit)) return false;
    for (const client of clients) this.#held.set(client, this.#heldBy(client) + 1);
    return true;
  }

  /** Counts one less for each of the clients. */
  release(...clients: readonly string[]): void {
    for (const client of clients) {
      const left = this.#heldBy(client) - 1;
      if (left > 0) this.#held.set(client, left);
      else this.#held.delete(client);
    }
  }

  #heldBy(client: string): number {
    return this.#held.get(client) ?? 0;
  }
}
