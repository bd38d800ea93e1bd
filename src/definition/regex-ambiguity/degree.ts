/**
 * How the ways through an automaton grow with the length of the text: Weber and Seidl, "On the
 * degree of ambiguity of finite automata" (1991). Every way counts, also one that ends in nothing,
 * for a backtracking engine walks it.
 */
import type { Automaton } from './automaton.ts';
import { UnsupportedPattern } from './graph.ts';

/** How many combinations of states are looked at: a second's work at most. */
const MOST_WORK = 3_000_000;

/**
 * The power of the length that the ways on a text grow with: 0 where their number is bounded,
 * and Infinity where they grow exponentially.
 * @throws UnsupportedPattern
 */
export function ambiguityDegree({ next }: Automaton): number {
  const loops = componentsOf(next).filter((component) => isLoop(component, next));
  const work = { left: MOST_WORK };
  if (loops.some((loop) => isExponential(loop, next, work))) return Infinity;

  const reached = loops.map((loop) => reachedFrom(loop, next));
  const degrees = new Map<number, number>();
  const degree = (at: number): number => {
    const known = degrees.get(at);
    if (known !== undefined) return known;
    let most = 0;
    for (const [other, loop] of loops.entries()) {
      const isAfter = other !== at && loop.some((state) => reached[at]?.has(state));
      if (!isAfter) continue;
      const here = loops[at] ?? [];
      const least = degree(other);
      // The costly question only where its answer counts.
      if (least + 1 > most && isPumped(here, loop, { next, work })) most = least + 1;
      else most = Math.max(most, least);
    }
    degrees.set(at, most);
    return most;
  };
  return Math.max(0, ...loops.map((_, at) => degree(at)));
}

type Next = Automaton['next'];

const successors = (state: number, next: Next): number[] => (next[state] ?? []).flat();

function isLoop(component: readonly number[], next: Next): boolean {
  const [state] = component;
  return component.length > 1 || (state !== undefined && successors(state, next).includes(state));
}

function reachedFrom(states: readonly number[], next: Next): ReadonlySet<number> {
  const seen = new Set(states);
  for (const state of seen) for (const one of successors(state, next)) seen.add(one);
  return seen;
}

/** Strongly connected components, by Tarjan's algorithm. */
function componentsOf(next: Next): number[][] {
  const order = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  const components: number[][] = [];
  // A stack of our own: a long pattern is deeper than the engine's goes.
  const calls: { state: number; targets: number[] }[] = [];
  const enter = (state: number): void => {
    order.set(state, order.size);
    low.set(state, order.get(state) ?? 0);
    stack.push(state);
    onStack.add(state);
    calls.push({ state, targets: successors(state, next) });
  };
  const lower = (state: number, to: number): void => {
    low.set(state, Math.min(low.get(state) ?? 0, to));
  };
  for (const start of next.keys()) {
    if (!order.has(start)) enter(start);
    for (let call = calls.at(-1); call !== undefined; call = calls.at(-1)) {
      const { state, targets } = call;
      const target = targets.pop();
      if (target !== undefined) {
        if (!order.has(target)) enter(target);
        else if (onStack.has(target)) lower(state, order.get(target) ?? 0);
        continue;
      }
      calls.pop();
      const caller = calls.at(-1);
      if (caller !== undefined) lower(caller.state, low.get(state) ?? 0);
      if (low.get(state) !== order.get(state)) continue;
      const component = stack.splice(stack.indexOf(state));
      for (const one of component) onStack.delete(one);
      components.push(component);
    }
  }
  return components;
}

interface Work {
  left: number;
}

function spend(work: Work): void {
  work.left--;
  if (work.left < 0) throw new UnsupportedPattern('too much work');
}

/** Whether a loop has two ways from a state to a state on one text: then each round doubles them. */
function isExponential(loop: readonly number[], next: Next, work: Work): boolean {
  const inside = new Set(loop);
  const size = next.length;
  const seen = new Set<number>(loop.map((state) => state * size + state));
  for (const pair of seen) {
    const [one, other] = [Math.floor(pair / size), pair % size];
    for (const [at, targets] of (next[one] ?? []).entries()) {
      const others = next[other]?.[at] ?? [];
      for (const [index, target] of targets.entries()) {
        if (!inside.has(target)) continue;
        for (const [otherIndex, otherTarget] of others.entries()) {
          if (!inside.has(otherTarget)) continue;
          spend(work);
          const isOneWay = one === other && index === otherIndex;
          if (target === otherTarget && !isOneWay) return true;
          seen.add(target * size + otherTarget);
        }
      }
    }
  }
  return false;
}

/**
 * Whether one text leads from a state of a loop back to it, from a state of a later loop back to
 * it, and from the first to the second: then each repetition of the text is another place to cross.
 */
function isPumped(
  loop: readonly number[],
  later: readonly number[],
  { next, work }: { readonly next: Next; readonly work: Work },
): boolean {
  const inLoop = new Set(loop);
  const inLater = new Set(later);
  const size = next.length;
  const number = (one: number, two: number, three: number): number =>
    (one * size + two) * size + three;
  return loop.some((from) =>
    later.some((to) => {
      const goal = number(from, to, to);
      const seen = new Set([number(from, from, to)]);
      for (const triple of seen) {
        const three = triple % size;
        const two = Math.floor(triple / size) % size;
        const one = Math.floor(triple / size / size);
        for (const [at, ones] of (next[one] ?? []).entries()) {
          const threes = (next[three]?.[at] ?? []).filter((state) => inLater.has(state));
          if (threes.length === 0) continue;
          for (const first of ones) {
            if (!inLoop.has(first)) continue;
            for (const second of next[two]?.[at] ?? []) {
              for (const third of threes) {
                spend(work);
                seen.add(number(first, second, third));
              }
            }
          }
        }
        if (seen.has(goal)) return true;
      }
      return false;
    }),
  );
}
