/**
 * Which names are actions: paths name things, and the method says what is done. Many verbs are
 * nouns too (`orders`, `search_results`), so only first words that can hardly be read as one count.
 */

/** Never a noun before another noun, with the noun of each. */
const ALWAYS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    add: 'addition',
    approve: 'approval',
    assign: 'assignment',
    calculate: 'calculation',
    create: 'creation',
    delete: 'deletion',
    destroy: 'destruction',
    disable: 'deactivation',
    enable: 'activation',
    fetch: 'retrieval',
    generate: 'generation',
    get: 'retrieval',
    modify: 'modification',
    receive: 'receipt',
    remove: 'removal',
    retrieve: 'retrieval',
    upsert: 'change',
    validate: 'validation',
    verify: 'verification',
  }),
);

/** An action before most words, and part of a noun before these. */
const MOSTLY = new Set('cancel edit find insert list patch publish put send update'.split(' '));
const PARTS_OF_NOUNS = new Set(
  `boxes channels columns dates elements entries events files histories intervals items jobs keys
   limits logs members messages messengers nodes notes notices options packages points positions
   prices queues reasons requests rows rules servers sets sites slots spots statuses steps tasks
   times tokens types versions views`.split(/\s+/),
);

/** Also actions where they end a name, as in `books_delete`. */
const AT_THE_END = new Set(['create', 'delete', 'fetch', 'get', 'retrieve']);

/** The verb that makes an action of a snake_case name, where there is one. */
export function verbIn(name: string): string | undefined {
  const words = name.split('_');
  const first = words[0]!;
  const last = words[words.length - 1]!;
  if (words.length === 1) return AT_THE_END.has(first) ? first : undefined;
  if (AT_THE_END.has(last)) return last;
  if (ALWAYS.has(first)) return first === 'add' && last === 'ons' ? undefined : first;
  if (MOSTLY.has(first)) return PARTS_OF_NOUNS.has(last) ? undefined : first;
  return undefined;
}

/** The noun for a verb that is none before another noun: `verify` → `verification`. */
export const nounOf = (verb: string): string | undefined => ALWAYS.get(verb);

/** The name without the verb: what the action was done to. */
export function withoutVerb(name: string, verb: string): string {
  return name
    .split('_')
    .filter((word) => word !== verb)
    .join('_');
}
