"""The text of the measuring program: one C file that holds a table of numbers and prints the rest.

Numbers (sizes, offsets, values) are initialisers of a constant table behind a mark, so that they
can be read from the object file where no program can be started. Addresses are looked up with
`dladdr` when the program runs. Every item has a line of its own: an error names its item.

Wrappers may ask for any standard of C (`-std=c89 -pedantic-errors`): the text is C89 but for the
numbers of 64 bits and what is measured, which stand behind `__extension__`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from mpiglot.parser.preprocess import INCLUDES

MARK = b"mpiglot:table:1"  # the compiler adds a zero: 16 bytes
ORDER = 0x0102030405060708
_ORDER_TEXT = "((mg_unsigned)0x01020304UL << 32) | (mg_unsigned)0x05060708UL"

_HEAD = f"""\
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#ifndef __GNUC__
#define __extension__
#endif
{INCLUDES}__extension__ typedef long long mg_number;
__extension__ typedef unsigned long long mg_unsigned;
"""

_MAIN = """\
#include <dlfcn.h>
#include <stdio.h>
static void mg_where(int item, const void *address)
{
    Dl_info info;
    if (!address || !dladdr((void *)address, &info) || !info.dli_fname) return;
    printf("mpiglot A %d %d %s %s\\n", item, info.dli_saddr == address,
           info.dli_sname ? info.dli_sname : "-", info.dli_fname);
}
"""


@dataclass(slots=True)
class Program:
    """A measuring program; `numbers` and `addresses` are (key, C expression)."""

    numbers: list[tuple[str, str]] = field(default_factory=list)
    addresses: list[tuple[str, str]] = field(default_factory=list)
    version: bool = True  # call MPI_Get_library_version
    number_lines: dict[int, str] = field(default_factory=dict)  # line -> key
    address_lines: dict[int, str] = field(default_factory=dict)

    def table(self) -> str:
        """The text with the numbers only: nothing in it has to be linked."""
        text = f"{_HEAD}const struct {{ char mark[16]; mg_unsigned order, count; "
        text += f"mg_number number[{len(self.numbers) + 1}]; }} mpiglot_table = {{ "
        text += f'"{MARK.decode()}", {_ORDER_TEXT}, {len(self.numbers)}, {{\n'
        self.number_lines = _lines(text, self.numbers)
        text += "".join(f"__extension__ (mg_number)({e}),\n" for _, e in self.numbers)
        return text + "0}};\n"

    def text(self) -> str:
        """The whole program."""
        text = f"{self.table()}{_MAIN}static void mg_addresses(void)\n{{\n"
        self.address_lines = _lines(text, self.addresses)
        for i, (_, expression) in enumerate(self.addresses):
            text += f"mg_where({i}, __extension__ (const void *)({expression}));\n"
        if self.version:
            text += "}\nstatic char said[65536];\nstatic void mg_version(void)\n{\n"
            text += "char *at;\nint length = 0;\nMPI_Get_library_version(said, &length);\n"
            text += "for (at = said; *at; ++at) if (*at == '\\n') *at = '\\1';\n"
        text += "}\nint main(int argc, char **argv)\n{\nint i;\n(void)argc; (void)argv;\n"
        text += f"for (i = 0; i < {len(self.numbers)}; ++i)\n"
        text += '    printf("mpiglot N %d %lld\\n", i, mpiglot_table.number[i]);\n'
        text += 'mg_addresses();\nprintf("mpiglot M\\n");\nfflush(stdout);\n'
        if self.version:
            text += "mg_version();\n"
            text += 'printf("mpiglot L %s\\n", said);\n'
        return text + 'printf("mpiglot E\\n");\nfflush(stdout);\nreturn 0;\n}\n'


def _lines(before: str, items: list[tuple[str, str]]) -> dict[int, str]:
    """The line each item will stand on behind the text `before`."""
    first = before.count("\n") + 1
    return {first + i: key for i, (key, _) in enumerate(items)}


def read_table(data: bytes) -> list[int] | None:
    """The numbers in an object file, None where the table is not to be found."""
    at = data.find(MARK + b"\0")
    if at < 0:
        return None
    order = data[at + 16 : at + 24]
    mark = "<" if order[0] == ORDER & 0xFF else ">"
    (count,) = struct.unpack_from(mark + "Q", data, at + 24)
    if at + 32 + 8 * count > len(data):
        return None
    return list(struct.unpack_from(f"{mark}{count}q", data, at + 32))
