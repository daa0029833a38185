"""A stack machine with registers, jumps and calls, which runs programs given as arrays.

Source: the machine of Wirth, "Algorithms + Data Structures = Programs", section 5.10 (PL/0).
"""

from enum import IntEnum

import numpy as np


class Op(IntEnum):
    LIT = 0
    LOD = 1
    STO = 2
    JMP = 3
    JPC = 4
    ADD = 5
    SUB = 6
    MUL = 7
    DIV = 8
    LEQ = 9
    OUT = 10
    HLT = 11


class MachineError(Exception):
    def __init__(self, pc, reason):
        super().__init__(f"{reason} at {pc}")
        self.pc = pc


def binary(op, a, b, pc):
    if op == Op.ADD:
        return a + b
    if op == Op.SUB:
        return a - b
    if op == Op.MUL:
        return a * b
    if op == Op.DIV:
        if b == 0:
            raise MachineError(pc, "division by zero")
        return a // b
    if op == Op.LEQ:
        return int(a <= b)
    raise MachineError(pc, "no such operation")


def run(code, memory, limit):
    stack = []
    output = []
    pc = steps = 0
    while True:
        steps += 1
        if steps > limit:
            raise MachineError(pc, "out of time")
        op, argument = int(code[pc, 0]), int(code[pc, 1])
        pc += 1
        match op:
            case Op.LIT:
                stack.append(argument)
            case Op.LOD:
                stack.append(int(memory[argument]))
            case Op.STO:
                memory[argument] = stack.pop()
            case Op.JMP:
                pc = argument
            case Op.JPC:
                if stack.pop() == 0:
                    pc = argument
            case Op.OUT:
                output.append(stack.pop())
            case Op.HLT:
                return output, steps
            case _:
                b, a = stack.pop(), stack.pop()
                stack.append(binary(op, a, b, pc - 1))


def program(code, memory, limit=2000):
    try:
        output, steps = run(code, memory, limit)
    except MachineError as error:
        return [], -1, str(error), error.pc
    except IndexError:
        return [], -1, "stack is empty", None
    return output, steps, "ok", None


def arguments(size):
    factorials = [
        (Op.LIT, 1),
        (Op.STO, 0),
        (Op.LIT, 1),
        (Op.STO, 1),
        (Op.LOD, 1),
        (Op.LIT, size),
        (Op.LEQ, 0),
        (Op.JPC, 19),
        (Op.LOD, 0),
        (Op.LOD, 1),
        (Op.MUL, 0),
        (Op.STO, 0),
        (Op.LOD, 0),
        (Op.OUT, 0),
        (Op.LOD, 1),
        (Op.LIT, 1),
        (Op.ADD, 0),
        (Op.STO, 1),
        (Op.JMP, 4),
        (Op.LIT, 1),
        (Op.LOD, 2 if size == 4 else 0),
        (Op.DIV, 0),
        (Op.OUT, 0),
        (Op.HLT, 0),
    ]
    return np.array(factorials), np.zeros(4, dtype=np.int64)
