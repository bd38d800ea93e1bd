/** What scripts/licences.mjs gives to the tests. */
export declare function licencesIn(
  folder: string,
  options?: { readonly all?: boolean },
): readonly { name: string; version: string; licence: string; isAllowed: boolean }[];
