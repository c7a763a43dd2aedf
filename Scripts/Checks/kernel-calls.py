#!/usr/bin/env python3
"""Compares the calls of stores on the model of a file system with those that strace has recorded.

    kernel-calls.py FOLDER TRACE

FOLDER contains a file NAME.model for each workload, the log of `MemoryFileSystem`; the paths of the
workload begin with FOLDER/NAME/. TRACE is the output of `strace -f`. A call of `PosixFileSystem` is
a short sequence of system calls, such as stat, openat, and fstat; `Kernel` puts them together again.
Both must have the same calls in the same order, with the same paths, places, sizes, and errors.
"""
import errno
import glob
import os
import re
import sys

LINE = re.compile(r"^(\d+) +(?:[\d.:]+ +)?(.*)$")
CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+)(?: (E\w+))?")
NUMBERS = re.compile(r"^-?\d+$")


def calls(trace):
    """The system calls as (name, arguments, result, error), in the order in which they ended."""
    waiting = {}
    with open(trace, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            thread, rest = LINE.match(line.rstrip("\n")).groups()
            if rest.endswith("<unfinished ...>"):
                waiting[thread] = rest[: -len("<unfinished ...>")].rstrip()
                continue
            if rest.startswith("<..."):
                rest = waiting.pop(thread, "") + re.sub(r"^<\.\.\. \w+ resumed>", "", rest)
            found = CALL.match(rest)
            if found:
                name, args, result, error = found.groups()
                yield name, args, int(result), getattr(errno, error) if error else 0


class Kernel:
    """The calls of a workload, as the model names them."""

    def __init__(self, root):
        self.root = root
        self.folder = os.path.dirname(root)
        self.is_open = False  # between the marks
        self.log = []
        self.paths = {}  # open files by descriptor
        self.listed = set()  # descriptors of directories that are listed
        self.opened = {}  # the places of calls in the log that opened a file, until its next call
        self.rest = None  # what is left of an incomplete read or write

    def add(self, name, text, error=0):
        self.log.append(f"{name} {text}" + (f" error {error}" if error else ""))

    def last_is(self, text):
        return self.log and self.log[-1] == text

    def take(self, name, args, result, error):
        """Adds a system call."""
        quoted = [path for path in re.findall(r'"([^"]*)"', args) if path.startswith("/")]
        first = args.split(",")[0]
        if quoted and not (quoted[0] + "/").startswith(self.folder + "/"):
            return
        if quoted and quoted[0] in (self.root + "/begin", self.root + "/end"):
            self.is_open = quoted[0].endswith("begin")
        elif not self.is_open:
            return
        elif quoted and name in ("openat", "open"):
            self.open(quoted[0], args, result, error)
        elif quoted and name in ("newfstatat", "stat", "statx"):
            self.add("status", quoted[0], 0 if error == errno.ENOENT else error)
        elif quoted and name in ("rename", "renameat", "renameat2"):
            self.add("rename", " ".join(quoted), error)
        elif quoted and name in ("unlink", "unlinkat"):
            self.add("remove", quoted[0], error)
        elif quoted and name in ("mkdir", "mkdirat"):
            self.add("makeDirectory", quoted[0], error)
        elif NUMBERS.match(first) and int(first) in self.paths:
            self.use(name, int(first), args, result, error)

    def open(self, path, args, result, error):
        if "O_DIRECTORY" in args:
            self.add("names", path, error)
            if result >= 0:
                self.listed.add(result)
                self.paths[result] = path
            return
        # The status was read first, because opening some devices has side effects.
        if self.last_is(f"status {path}"):
            self.log.pop()
        self.add("open", path, error)
        if result >= 0:
            self.paths[result] = path
            self.opened[result] = len(self.log) - 1

    def use(self, name, file, args, result, error):
        path = self.paths[file]
        if name == "close":
            del self.paths[file]
            self.opened.pop(file, None)
            if file in self.listed:
                self.listed.discard(file)
                return
            # A file is unlocked before it is closed.
            if self.last_is(f"unlock {path}"):
                self.log.pop()
            if not self.last_is(f"syncDirectory {path}"):
                self.add("close", path, error)
            return
        if file in self.listed:
            return
        opening = self.opened.get(file)
        if name in ("fstat", "newfstatat", "statx"):
            # The kind of a file is checked when it is opened.
            if opening == len(self.log) - 1:
                self.opened.pop(file)
                self.opened[file] = -1
            else:
                self.add("fstatus", path, error)
        elif name == "fsync":
            # Only directories are synced so, which are opened for that.
            if self.last_is(f"open {path}"):
                self.log.pop()
            self.add("syncDirectory", path, error)
        elif name == "fdatasync":
            self.add("sync", path, error)
        elif name == "flock":
            busy = error in (errno.EAGAIN, errno.EWOULDBLOCK)
            self.add("unlock" if "LOCK_UN" in args else "lock", path, 0 if busy else error)
        elif name == "ftruncate":
            self.add("truncate", f"{path} {args.rsplit(', ', 1)[1]}", error)
        elif name in ("pread64", "pwrite64"):
            count, place = (int(number) for number in args.rsplit(", ", 2)[1:])
            if self.rest != (name, file, place, count):
                self.add("read" if name == "pread64" else "write", f"{path} {place} {count}", error)
            done = max(result, 0)
            self.rest = (name, file, place + done, count - done) if 0 < done < count else None


def model_calls(path):
    """The calls that a model has written down, without those that need no system call."""
    for line in open(path, encoding="utf-8"):
        call = line.rstrip("\n").split(" ", 1)[1]
        if not re.match(r"(read|write) .* 0$", call):
            yield call


def main():
    folder, trace = os.path.realpath(sys.argv[1]), sys.argv[2]
    recorded = list(calls(trace))
    models = sorted(glob.glob(folder + "/*.model"))
    if not models:
        sys.exit("kernel-calls.py: no workload was recorded")
    for model in models:
        kernel = Kernel(model[: -len(".model")])
        for call in recorded:
            kernel.take(*call)
        expected = list(model_calls(model))
        name = os.path.basename(kernel.root)
        for place in range(max(len(expected), len(kernel.log))):
            pair = [log[place] if place < len(log) else "nothing" for log in (expected, kernel.log)]
            if pair[0] != pair[1]:
                before = "\n  ".join(expected[max(place - 5, 0) : place])
                sys.exit(
                    f"{name}: call {place + 1} differs\n  {before}\nmodel:  {pair[0]}\nkernel: {pair[1]}"
                )
        print(f"{name}: {len(expected)} calls of the model are those of the kernel")


main()
