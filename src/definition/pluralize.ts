/**
 * Singular and plural of English nouns: the rules of a library, and a table of what it gets
 * wrong or has no opinion of. Where in doubt a word counts as plural: a name that is wrongly let
 * through costs less than one that is wrongly refused.
 */
import pluralize from 'pluralize';

/** What a name is by its last word. */
type GrammaticalNumber =
  | { readonly kind: 'plural'; readonly singular: string }
  | { readonly kind: 'singular'; readonly plural: string }
  /** The language has one form for both, or the word is in use as both. */
  | { readonly kind: 'same' };

/** Tells what a snake_case name is. */
export function numberOf(name: string): GrammaticalNumber {
  const number = numberByRules(name);
  // The s of `s2` is no plural.
  const isWord = number.kind !== 'plural' || /^[a-z]/.test(number.singular);
  return isWord ? number : { kind: 'same' };
}

function numberByRules(name: string): GrammaticalNumber {
  const parts = lastNoun(name);
  // No language has rules for a word like `mp3s`: an s is a plural.
  if (parts === undefined) {
    return name.endsWith('s')
      ? { kind: 'plural', singular: name.slice(0, -1) }
      : { kind: 'singular', plural: `${name}s` };
  }
  const { head, noun, digits } = parts;
  if (UNINFLECTED.has(noun)) return { kind: 'same' };
  const plain = SINGULAR_OF.get(noun);
  if (plain !== undefined) return { kind: 'plural', singular: head + plain + digits };
  const plural = pluralOf(noun);
  const singular = PLURAL_OF.has(noun) ? noun : pluralize.singular(noun);
  if (singular !== noun) return { kind: 'plural', singular: head + singular + digits };
  if (plural === noun) return { kind: 'same' };
  // The rules take all of `skus`, `gurus` and `safaris` for singulars.
  if (noun.endsWith('s') && !isSingularInS(noun)) {
    return { kind: 'plural', singular: head + noun.slice(0, -1) + digits };
  }
  // `mp3` is a word to its end, and in `item_2` the digits are another one.
  const whole = /^[0-9]/.test(digits);
  return { kind: 'singular', plural: whole ? `${name}s` : head + plural + digits };
}

function pluralOf(noun: string): string {
  return PLURAL_OF.get(noun) ?? pluralize.plural(noun);
}

function isSingularInS(noun: string): boolean {
  return /(?:s|si|iti)s$/.test(noun) || PLURAL_OF.has(noun) || SINGULARS_IN_S.has(noun);
}

interface LastNoun {
  readonly head: string;
  readonly noun: string;
  readonly digits: string;
}

/** The last word of a name that has letters, without digits at its end. */
function lastNoun(name: string): LastNoun | undefined {
  const parts = /^(.*_)?([a-z]+)([0-9]*(?:_[0-9]+)*)$/.exec(name);
  return parts === null ? undefined : { head: parts[1] ?? '', noun: parts[2]!, digits: parts[3]! };
}

/** Singular, then each plural that is in use, the usual one first. */
const CORRECTIONS = [
  'addendum addenda addendums',
  'agenda agendas',
  'antenna antennas antennae',
  'aquarium aquariums aquaria',
  'automaton automata automatons',
  'axis axes',
  'bias biases',
  'brahman brahmans',
  'buffalo buffaloes buffalos',
  'bureau bureaus bureaux',
  'caiman caimans',
  'candelabrum candelabra',
  'canvas canvases',
  'cargo cargos cargoes',
  'chaos chaoses',
  'corpus corpora corpuses',
  'cosmos cosmoses',
  'criterion criteria',
  'dogma dogmas dogmata',
  'domino dominoes dominos',
  'embargo embargoes embargos',
  'ethos ethoses',
  'flamingo flamingos flamingoes',
  'focus focuses foci',
  'formula formulas formulae',
  'forum forums fora',
  'ganglion ganglia ganglions',
  'genus genera',
  'german germans',
  'ghetto ghettos ghettoes',
  'gymnasium gymnasiums gymnasia',
  'halo halos haloes',
  'hippopotamus hippopotamuses hippopotami',
  'index indexes indices',
  'larva larvae larvas',
  'lemma lemmas lemmata',
  'lens lenses',
  'mango mangoes mangos',
  'memento mementos mementoes',
  'memorandum memoranda memorandums',
  'money monies moneys',
  'modulus moduli moduluses',
  'mosquito mosquitoes mosquitos',
  'motto mottos mottoes',
  'nebula nebulae nebulas',
  'norman normans',
  'octopus octopuses octopi',
  'opera operas',
  'ottoman ottomans',
  'pancreas pancreases',
  'pelvis pelvises',
  'phenomenon phenomena',
  'polyhedron polyhedra polyhedrons',
  'premise premises',
  'quantum quanta',
  'rhinoceros rhinoceroses',
  'roman romans',
  'saga sagas',
  'schema schemas schemata',
  'shaman shamans',
  'spectrum spectra spectrums',
  'stadium stadiums stadia',
  'stigma stigmas stigmata',
  'supernova supernovae supernovas',
  'syllabus syllabuses syllabi',
  'talisman talismans',
  'torpedo torpedoes torpedos',
  'trellis trellises',
  'use uses',
  'veto vetoes vetos',
  'virus viruses',
  'volcano volcanoes volcanos',
  'zero zeros zeroes',
  // Words in -is that have their plural in -es.
  ...'catharsis genesis hypnosis metamorphosis nemesis neurosis oasis osmosis prognosis psychosis sclerosis symbiosis thrombosis'
    .split(' ')
    .map((word) => `${word} ${word.slice(0, -2)}es`),
  // Singulars in -s that the rules take for plurals.
  ...'acropolis atlas clematis ibis iris mantis metropolis necropolis penis portcullis'
    .split(' ')
    .map((word) => `${word} ${word}es`),
  // Words in -ie, which the rules give a -y.
  ...`auntie baddie biggie birdie bogie boogie bookie brasserie brownie budgie caddie calorie
      collie cookie coterie cutie doggie foodie freebie genie goalie goodie groupie hippie homie
      hoodie indie junkie kiddie lassie magpie menagerie movie newbie nightie oldie patisserie
      pinkie pixie prairie quickie reverie roadie rookie rotisserie selfie smoothie sortie sweetie
      talkie techie veggie walkie yuppie zombie`
    .split(/\s+/)
    .map((word) => `${word} ${word}s`),
  // Words in -che and -se, which the rules cut short.
  ...`abuse ache apache attache avalanche backache brioche cache cartouche cliche creche excuse
      fuse headache heartache hypotenuse microfiche misuse moustache muse mustache niche pastiche
      psyche quiche recluse refuse reuse ruse toothache tranche`
    .split(/\s+/)
    .map((word) => `${word} ${word}s`),
  // A hard -ch.
  ...'epoch eunuch loch matriarch monarch oligarch patriarch stomach tech'
    .split(' ')
    .map((word) => `${word} ${word}s`),
  ...'blitz quartz topaz waltz'.split(' ').map((word) => `${word} ${word}es`),
  'fez fezzes',
].map((line) => line.split(' '));

/** Singulars in a single -s, beside those above and those in -sis and -itis. */
const SINGULARS_IN_S: ReadonlySet<string> = new Set(
  `abacus alias alumnus apparatus asparagus bacillus bolus bonus bus cactus callus campus caucus
   census chorus christmas circus citrus consensus crocus discus esophagus eucalyptus exodus fetus
   ficus foetus fungus gas genius gladiolus hiatus hibiscus hummus ignoramus isthmus litmus locus
   lotus lupus minibus minus modulus mucus narcissus nexus nucleus octopus omnibus opus papyrus
   phallus platypus plus prospectus radius rebus rhombus ruckus sarcophagus sinus status stimulus
   stylus surplus syllabus terminus thesaurus tinnitus torus typhus uterus versus virus walrus
   yes`.split(/\s+/),
);

/** One form for both, or plurals whose singular nobody would guess; names say it themselves. */
const UNINFLECTED: ReadonlySet<string> = new Set(
  `aircraft baggage cattle clothing corps craft data debris economics electronics
   equipment ethics evidence feedback firmware fish furniture gps graffiti hardware hovercraft
   information ios jewelry knowledge livestock logistics luggage machinery
   mathematics means media merchandise metadata news offspring os personnel physics politics
   poultry progress series sheep sms software spacecraft species staff stuff thanks watercraft
   weather`.split(/\s+/),
);

const PLURAL_OF: ReadonlyMap<string, string> = new Map(
  CORRECTIONS.map(([singular, plural]) => [singular!, plural!]),
);

const SINGULAR_OF: ReadonlyMap<string, string> = new Map(
  CORRECTIONS.flatMap(([singular, ...plurals]) =>
    plurals.map((plural) => [plural, singular!] as const),
  ),
);
