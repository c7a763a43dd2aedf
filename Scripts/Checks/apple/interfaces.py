"""Rewrites a textual interface of the Linux toolchain for another target.

The interface of a library is the same on all platforms, except where its sources have conditions, which are resolved in
it. What follows from the target is rewritten here:

- Bodies are removed, because only code generation needs them. Those of transparent functions stay: the compiler inlines
  them before it looks for overflows of constants.
- A 64-bit ARM processor has no `Float80`, and its widest float literal has 64 bits.
- Where pointers have 32 bits, so do `Int` and `UInt`.
"""

import re

DECLARATION = re.compile(
    r"\b(?:func|var|let|init|deinit|subscript|struct|enum|class|actor|protocol|extension|typealias|associatedtype|case"
    r"|macro|import|operator|precedencegroup|get|set|_read|_modify|unsafeAddress|unsafeMutableAddress|read|modify"
    r"|borrow|mutate)\b")
TYPE = re.compile(r"^(?:\w+(?:\([^)]*\))? )*(?:struct|enum|class|actor|protocol|extension) ")
ACCESSORS = re.compile(r"^(?:\w+(?:\([^)]*\))? )*(?:var|let|subscript)\b")
# Attributes that require a body, or make no sense without one.
INLINE = re.compile(
    r"@inlinable ?|@inline\(__always\) ?|@_alwaysEmitIntoClient ?|@export\(implementation\) ?")
ATTRIBUTE = re.compile(r"@[\w.]+(?:\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\((?:[^()]|\([^()]*\))*\))*\))?\s*")
STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def code(line):
    """A line without its strings and its comment."""
    return STRING.sub('""', line).split("//")[0]


def head(line):
    """A line without the attributes at its start."""
    text = line.strip()
    while match := ATTRIBUTE.match(text):
        text = text[match.end():]
    return text


class Declaration:
    """A declaration in an interface: the lines of its attributes and its head, and those of its body."""

    def __init__(self, lines, start):
        end = start
        while end < len(lines) - 1 and lines[end].strip().startswith("@") and not DECLARATION.search(head(lines[end])):
            end += 1
        self.start, self.head = start, end
        depth = 0
        while True:
            text = code(lines[end])
            depth += text.count("{") - text.count("}")
            if depth <= 0 or end == len(lines) - 1:
                break
            end += 1
        self.end = end
        self.text = head(lines[self.head])
        self.has_body = "{" in code(lines[self.head])


def is_plain(line):
    """Whether a line isn't part of a declaration."""
    text = line.strip()
    return not text or text.startswith(("//", "#", "}")) or text in ("{", "get", "set")


def resilient(lines):
    """The lines of attributes and a head without those that require a body."""
    result = [line for line in (INLINE.sub("", line) for line in lines) if line.strip()]
    text = "\n".join(lines)
    if re.search(r"\binternal\b", text) and INLINE.search(text) and "@usableFromInline" not in text:
        result.insert(0, "@usableFromInline")
    return result


def without_body(lines, declaration):
    """The lines of a function, or of an accessor, without its body."""
    result = resilient(lines[declaration.start:declaration.head + 1])
    # A default argument may have braces, too, but in parentheses.
    depth = 0
    for place, letter in enumerate(STRING.sub(lambda match: "_" * len(match[0]), result[-1])):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if letter == "{" and depth == 0:
            result[-1] = result[-1][:place].rstrip()
            break
    return result


def rewrite(lines, forbidden=None, dropped=(), offset=0):
    """The lines without bodies, and without declarations that name a forbidden type.

    `dropped` are the numbers of lines whose transparent functions lose their bodies as well.
    """
    result = []
    number = 0
    while number < len(lines):
        if is_plain(lines[number]):
            result.append(lines[number])
            number += 1
            continue
        found = Declaration(lines, number)
        number = found.end + 1
        block = lines[found.start:found.end + 1]
        if forbidden and forbidden.search(lines[found.head]):
            continue
        is_dropped = any(found.start <= line - offset <= found.end for line in dropped)
        is_transparent = "@_transparent" in "\n".join(lines[found.start:found.head + 1]) and not is_dropped
        if not found.has_body:
            result += block
        elif TYPE.match(found.text):
            result += lines[found.start:found.head + 1]
            if found.end > found.head:
                inner = lines[found.head + 1:found.end]
                result += rewrite(inner, forbidden, dropped, offset + found.head + 1)
                result.append(lines[found.end])
        elif is_transparent or code(lines[found.head]).count("(") != code(lines[found.head]).count(")"):
            # The head of a function with a closure as a default argument ends in a later line.
            result += block
        elif ACCESSORS.match(found.text):
            if found.end == found.head or "=" in code(lines[found.head]).split("{")[0]:
                result += block
                continue
            inner = lines[found.head + 1:found.end]
            attributes = resilient(lines[found.start:found.head + 1])
            result += [line.replace("@_transparent ", "") for line in attributes] if is_dropped else attributes
            accessors = rewrite(inner, None, dropped, offset + found.head + 1)
            result += [line for line in accessors if line.strip()] + [lines[found.end]]
        elif re.match(r"(?:public )?(?:macro|precedencegroup) ", found.text):
            result += block
        else:
            lines_left = without_body(lines, found)
            result += [line.replace("@_transparent ", "") for line in lines_left] if is_dropped else lines_left
    return result


def narrowed(text):
    """The interface of the standard library with an `Int` and a `UInt` of 32 bits."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        if not re.match(r"^@frozen public struct U?Int :", lines[number]):
            number += 1
            continue
        found = Declaration(lines, number)
        for place in range(found.start, found.end + 1):
            line = lines[place]
            line = re.sub(r"Builtin\.\w+", lambda match: match[0].replace("Int64", "Int32").replace("Int128", "Int64"), line)
            line = line.replace("9223373136366403584.0", "2147483904.0").replace("9223372036854777856.0", "2147483649.0")
            line = line.replace("9223372036854775808.0", "2147483648.0").replace("18446744073709551616.0", "4294967296.0")
            line = re.sub(r"\b64\b", "32", re.sub(r"\b63\b", "31", line))
            line = re.sub(r"[sz]extOrBitCast_Word_Int32", "truncOrBitCast_Word_Int32", line)
            line = line.replace("truncOrBitCast_Int32_Word", "sextOrBitCast_Int32_Word" if "public struct Int " in
                                lines[found.head] else "zextOrBitCast_Int32_Word")
            lines[place] = line
        number = found.end + 1
    text = "\n".join(lines)
    # The lowest word of a wider or narrower number, and the reverse.
    text = re.sub(r"(Builtin\.[sz]ext)OrBitCast_Int(8|16|32)_Int64\(_value\)", r"\1OrBitCast_Int\2_Int32(_value)", text)
    text = re.sub(r"Builtin\.(?:[sz]ext|trunc)OrBitCast_Int64_Int64\(_value\)", "Builtin.trunc_Int64_Int32(_value)", text)
    text = re.sub(r"truncOrBitCast_Int64_Int(8|16|32)\(bits\._value\)", r"truncOrBitCast_Int32_Int\1(bits._value)", text)
    text = text.replace("truncOrBitCast_Int64_Int64(bits._value)", "zext_Int32_Int64(bits._value)")
    return text


def interface(text, triple, clibrary):
    """The interface of a module for a target, from that for Linux."""
    architecture = triple.split("-")[0]
    text = re.sub(r"-target [\w-]+", f"-target {triple}", text, count=1)
    text = text.replace(" -static ", " ")
    text = re.sub(r"^import Glibc$", f"import {clibrary}", text, flags=re.M)
    # Only a function with a body can be deployed back. Its availability is that of the original.
    text = re.sub(r"@backDeployed\([^)]*\) *\n?", "", text)
    forbidden = None
    if not architecture.startswith("x86"):
        forbidden = re.compile(r"\bFloat80\b")
        text = text.replace("typealias CLongDouble = Swift.Float80", "typealias CLongDouble = Swift.Double")
        text = text.replace("_MaxBuiltinFloatType = Builtin.FPIEEE80", "_MaxBuiltinFloatType = Builtin.FPIEEE64")
        text = text.replace("_builtinFloatLiteral value: Builtin.FPIEEE80", "_builtinFloatLiteral value: Builtin.FPIEEE64")
        text = text.replace("self = Float16(Float80(value))", "self = Float16(Builtin.fptrunc_FPIEEE64_FPIEEE16(value))")
        text = text.replace("Builtin.fptrunc_FPIEEE80_FPIEEE32(value)", "Builtin.fptrunc_FPIEEE64_FPIEEE32(value)")
        text = text.replace("Builtin.fptrunc_FPIEEE80_FPIEEE64(value)", "value")
    if architecture in ("arm64_32", "wasm32") and "-module-name Swift\n" in text:
        text = narrowed(text)
    return "\n".join(rewrite(text.split("\n"), forbidden)) + "\n"
