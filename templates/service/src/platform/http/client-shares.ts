/** `ClientShares` limits how much of a shared resource one client occupies. */

/** Counts the units that clients occupy. A client is a key, such as an address or a user. */
export class ClientShares {
  readonly #limit: number;
  /** Clients without a unit have no entry. */
  readonly #held = new Map<string, number>();

  /** @param limit the units of one client. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a unit for each of the clients. @returns false, without counting, if one of them has reached the limit. */
  take(...clients: readonly string[]): boolean {
    if (clients.some((client) => this.#heldBy(client) >= this.#limit)) return false;
    for (const client of clients) this.#held.set(client, this.#heldBy(client) + 1);
    return true;
  }

  /** Releases a unit of each of the clients. */
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
