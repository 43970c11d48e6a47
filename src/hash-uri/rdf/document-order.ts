import type { Emit } from './quad-reader.ts';
import type { AnyTerm, Quad } from './rdf-js.ts';

/**
 * Puts the quads of a Turtle or TriG statement in the order in which the document writes them: a triple before the
 * contents of the `[ ]` or `( )` that is its object. n3 emits the contents first, and blank nodes are numbered by their
 * first appearance, so codes depend on the order.
 *
 * A node that was written as `[ ]` or `( )` is the object of one triple at most: the statement is a forest, read
 * here depth first.
 */
export class DocumentOrder {
  readonly #emit: Emit;
  readonly #statement: Quad[] = [];
  /** The nodes that have no label in the document. */
  readonly #unlabelled = new Set<string>();

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  addUnlabelled(label: string): void {
    this.#unlabelled.add(label);
  }

  add(quad: Quad): void {
    this.#statement.push(quad);
  }

  /** Emits the statement that has just ended; no later one can refer to its unlabelled nodes. */
  endStatement(): void {
    if (this.#unlabelled.size === 0) for (const quad of this.#statement) this.#emit(quad);
    else this.#emitForest();
    this.#statement.length = 0;
    this.#unlabelled.clear();
  }

  #emitForest(): void {
    const { roots, contents } = this.#forest();
    const open = [roots.values()];
    while (open.length > 0) {
      const { done, value: quad } = open.at(-1)!.next();
      if (done === true) {
        open.pop();
        continue;
      }
      this.#emit(quad);
      const within = this.#isUnlabelled(quad.object) ? contents.get(quad.object.value) : undefined;
      if (within !== undefined) open.push(within.values());
    }
  }

  /** The quads of the statement by the node whose contents they are; those of none are the roots. */
  #forest(): { roots: Quad[]; contents: Map<string, Quad[]> } {
    const contents = new Map<string, Quad[]>();
    for (const { object } of this.#statement) if (this.#isUnlabelled(object)) contents.set(object.value, []);
    const roots: Quad[] = [];
    for (const quad of this.#statement)
      ((this.#isUnlabelled(quad.subject) ? contents.get(quad.subject.value) : undefined) ?? roots).push(quad);
    return { roots, contents };
  }

  #isUnlabelled(term: AnyTerm): boolean {
    return term.termType === 'BlankNode' && this.#unlabelled.has(term.value);
  }
}
