// Changes of one instruction, which show that a proof can fail: a module is decoded, and one thing in it is another.
import type { random } from '../../../support/seed.ts';
import type { Instruction, WasmModule } from './module.ts';

type Next = ReturnType<typeof random>;

export interface Mutation {
  readonly name: string;
  readonly module: WasmModule;
}

/** Immediates in place of an instruction's, or undefined where the kind does not apply. */
type Kind = (
  instruction: Instruction,
  after: Instruction | undefined,
  next: Next,
) => Instruction['immediates'] | undefined;

const SHIFT = /shl|shr_|rot/;
const ADDRESSED = /load|store/;

/** The mutations, by what they change. */
const KINDS: Readonly<Record<string, Kind>> = {
  'a shift count': ({ name, immediates: [count] }, after, next) =>
    name === 'i32.const' && SHIFT.test(after?.name ?? '') ? [(count as number) ^ (1 << next(5))] : undefined,
  'a lane of a shuffle': ({ name, immediates }, _after, next) =>
    name === 'i8x16.shuffle'
      ? withChange(immediates as number[], next(16), (lane) => lane ^ (1 << next(5)))
      : undefined,
  'a bit of a constant': ({ name, immediates }, after, next) => {
    if (SHIFT.test(after?.name ?? '')) return undefined;
    if (name === 'i32.const') return [((immediates[0] as number) ^ (1 << next(32))) >>> 0];
    if (name === 'i64.const') return [(immediates[0] as bigint) ^ (1n << BigInt(next(64)))];
    if (name === 'v128.const') return withChange(immediates as number[], next(16), (byte) => byte ^ (1 << next(8)));
    return undefined;
  },
  'an address': ({ name, immediates }, _after, next) =>
    ADDRESSED.test(name) ? withChange(immediates as number[], 1, (offset) => offset ^ (1 << next(9))) : undefined,
  'an operand': () => undefined,
};

function withChange(immediates: readonly number[], index: number, change: (value: number) => number): number[] {
  return immediates.with(index, change(immediates[index]!));
}

/** Reads another local of the same type. */
function otherLocal(types: readonly string[], { name, immediates }: Instruction, next: Next) {
  if (name !== 'local.get') return undefined;
  const index = immediates[0] as number;
  const others = types.flatMap((type, other) => (other !== index && type === types[index] ? [other] : []));
  return others.length === 0 ? undefined : [others[next(others.length)]!];
}

/** Changes of each kind in turn, in functions that `called` has. */
export function* mutationsOf(module: WasmModule, called: ReadonlySet<number>, next: Next): Generator<Mutation> {
  const functions = [...called];
  for (;;) {
    for (const kind of Object.keys(KINDS)) {
      for (let tries = 0; tries < 10_000; tries++) {
        const index = functions[next(functions.length)]!;
        const { type, localTypes, body } = module.functions[index]!;
        const at = next(body.length);
        const instruction = body[at]!;
        const immediates =
          kind === 'an operand'
            ? otherLocal([...type.parameters, ...localTypes], instruction, next)
            : KINDS[kind]!(instruction, body[at + 1], next);
        if (immediates === undefined) continue;
        const changed = { type, localTypes, body: body.with(at, { ...instruction, immediates }) };
        yield {
          name: `${kind}: ${instruction.name} ${instruction.immediates.join()} becomes ${immediates.join()}, function ${index}, instruction ${at}`,
          module: { ...module, functions: module.functions.with(index, changed) },
        };
        break;
      }
    }
  }
}
