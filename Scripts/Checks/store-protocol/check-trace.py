#!/usr/bin/env python3
"""Checks the system calls of processes that share a store against the rules that store.pml assumes.

    check-trace.py STORE TRACE...

Each TRACE is the output of `strace -f -y` with the calls of CALLS in check-protocol.sh; several
traces of one store are checked as one, in order, as if the processes had run one after another.
This is an automaton, not the specification: store.pml says what follows from these rules, and this
program says whether the calls of real processes obey them.

1. Only the store and the files named after it are written: .lock, .new, .saving, .damaged-N, .salvaged-N.
2. They are changed only by the process that holds the lock, and only one process holds it.
3. The store grows at its end: a write starts where the file ends. It shrinks only from its end.
4. The lock file contains one byte, 0 or 1, and it is 1 during each sync of the store.
5. A line on the standard output (the acknowledgment) follows a sync of everything written before.
6. A file is renamed to the store, or set aside, only after it was synced completely.
7. The directory is synced after such a rename, before the next frame is written to the store.
8. When the lock is released, everything written is synced or cut off, or the mark is 1.
9. After a failed sync that leaves doubt, the mark stays 1 and nothing is acknowledged before a rewrite.
10. The calls between locking and unlocking are in one of the orders of ORDERS.
"""
import re
import sys

# What a process does while it holds the lock, a letter for each call; a small letter is a call that
# failed. W, T, F: write, cut, sync the store. M, U: mark, unmark. D: sync the directory or its parent.
# N, n..., R: the file .new is made, written (w), synced (s), renamed. A: a file set aside is made (a),
# written, synced, and renamed. X: a leftover is removed. P: a part that was set aside is renamed.
SYNC = r"M?(FU?|f)"
REWRITE = r"X*N(w+(s(R(D|d)|X*)|!X*)|!X*)"
SET_ASIDE = r"X*aw*sAD"
TAKE_BACK = r"M?(TFU?|Tf|t)"
ORDERS = re.compile(
    rf"(X*D*{REWRITE}U?)?"  # a new store, or one that a failed sync left in doubt
    rf"(({SET_ASIDE}|{REWRITE})*T{SYNC})?"  # a torn end is set aside and cut off
    rf"X*"  # a killed compaction left a file, and the store is read again because of an earlier one
    rf"({REWRITE}U?)?D*"
    rf"(W{SYNC}U?|W!|{SYNC})?({TAKE_BACK})?({REWRITE}U?)?X*$"
    rf"|({SET_ASIDE})*X*Nws({SET_ASIDE})*RDP*D?X*$"  # salvaging
    rf"|P*D?X*$"
)

LINE = re.compile(r"^(\d+) +(?:[\d.:]+ +)?(.*)$")
CALL = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+|\?)(.*)$", re.S)
NAMED = re.compile(r"^(-?\d+|AT_FDCWD)(?:<([^>]*)>(\(deleted\))?)?$")


class Broken(Exception):
    pass


class Store:
    """The automaton."""

    def __init__(self, path):
        self.path = path
        self.folder = path.rsplit("/", 1)[0]
        self.own = re.compile(re.escape(path) + r"(\.lock|\.new|\.saving|\.damaged-\d+|\.salvaged-\d+)?$")
        self.holder = None
        self.process = {}  # thread: process
        self.mark = 0
        self.size = {}
        self.unsynced = {}  # path: whether something was written since its last sync
        self.name_synced = True
        self.known = {}  # process: whether all but its last write is on the device, as it knows
        self.owed = False
        self.replaced = set()  # holders that lost the lock because they were killed
        self.section = ""
        self.counts = {"calls": 0, "sections": 0, "commits": 0, "rewrites": 0, "cuts": 0, "failed": 0}

    def of(self, thread):
        return self.process.get(thread, thread)

    def need(self, condition, rule, text):
        if not condition:
            raise Broken(f"rule {rule}: {text}")

    def need_lock(self, who, call, path):
        self.need(self.holder == who, 2, f"{call} of {path} by {who}, but {self.holder} holds the lock")

    def step(self, letter, succeeded=True):
        if letter in "WTFD" and not succeeded:
            letter = {"W": "W!", "T": "t", "F": "f", "D": "d"}[letter]
        self.section += letter
        self.counts["calls"] += 1

    def kind(self, path):
        """The file's part in the protocol; None if it isn't a file of the store."""
        if path == self.path:
            return "store"
        if path and self.own.match(path):
            return path[len(self.path) + 1 :].split("-")[0]
        return None

    # -- the calls

    def end(self, who):
        """A process ended; the system releases its lock."""
        self.known.pop(who, None)
        if self.holder == who:
            self.holder = None
            self.section = ""

    def flock(self, who, path, args, result):
        if self.kind(path) != "lock":
            return
        if "LOCK_EX" in args and result == 0:
            if self.holder not in (None, who):
                # It was killed, which strace reports later. Any further call of it breaks rule 2.
                self.replaced.add(self.holder)
                self.size[self.path] = None
                self.end(self.holder)
            self.holder, self.section = who, ""
        elif "LOCK_UN" in args:
            self.need(who not in self.replaced, 2, f"{who} and {self.holder} held the lock")
            if self.holder != who:
                return
            self.need(not self.unsynced.get(self.path) or self.mark, 8, "unsynced bytes without the mark")
            self.need(ORDERS.match(self.section), 10, f"no order of calls is {self.section!r}")
            self.counts["sections"] += self.section != ""
            self.holder = None

    def pwrite64(self, who, path, args, result):
        kind = self.kind(path)
        self.need(kind, 1, f"a write to {path}")
        self.need_lock(who, "a write", path)
        done = result is not None and result >= 0
        offset = int(args.rsplit(", ", 1)[1])
        if kind == "lock":
            byte = re.search(r'"\\([01])"', args)
            self.need(byte and offset == 0, 4, "another byte than 0 or 1 in the lock file")
            if done:
                self.mark = int(byte.group(1))
                self.need(self.mark or not self.owed, 9, "the mark is removed before the rewrite")
                self.need(self.mark or not self.unsynced.get(self.path), 8, "unmarked but not synced")
                self.step("M" if self.mark else "U")
            return
        size = self.size.get(path)
        if kind == "store":
            self.need(size is None or offset == size, 3, f"a write at {offset} of {size} bytes")
            self.need(self.name_synced, 7, "a frame is written before the directory is synced")
            self.step("W", done)
        else:
            self.step("w" if done else "!")
        if result is None or result > 0:
            self.size[path] = None if result is None else offset + result
            self.unsynced[path] = True

    def ftruncate(self, who, path, args, result):
        self.need(self.kind(path) == "store", 1, f"a cut of {path}")
        self.need_lock(who, "a cut", path)
        size = int(args.rsplit(", ", 1)[1])
        known = self.size.get(path)
        self.need(known is None or size <= known, 3, f"cut to {size}, beyond {known}")
        self.step("T", result == 0)
        if result == 0:
            self.size[path], self.unsynced[path] = size, True
            self.counts["cuts"] += 1

    def sync(self, who, path, args, result):
        kind = self.kind(path)
        if path in (self.folder, self.folder.rsplit("/", 1)[0]):
            if self.holder == who:
                self.step("D", result == 0)
            if path == self.folder and result == 0:
                self.name_synced = True
            return
        self.need(kind, 1, f"a sync of {path}")
        self.need_lock(who, "a sync", path)
        if result == 0:
            self.unsynced[path] = False
        if kind != "store":
            self.step("s" if result == 0 else "!")
            return
        self.need(self.mark, 4, "a sync of the store without the mark")
        self.step("F", result == 0)
        if result == 0:
            self.known[who] = True
        else:
            self.counts["failed"] += 1
            if not self.known.get(who):
                self.owed = True

    def openat(self, who, path, args, result):
        if "O_CREAT" not in args:
            if self.kind(path) == "store" and "O_RDWR" in args:
                self.known[who] = False
            return
        self.need(self.kind(path), 1, f"{path} is created")
        if "O_EXCL" in args:
            self.need_lock(who, "creation", path)
            self.step("N" if path.endswith(".new") else "a")
            self.size[path], self.unsynced[path] = 0, False

    def rename(self, who, old, new):
        kinds = (self.kind(old), self.kind(new))
        self.need(all(kinds), 1, f"{old} is renamed to {new}")
        self.need_lock(who, "renaming", old)
        if old.endswith((".new", ".saving")):
            self.need(not self.unsynced.get(old), 6, f"{old} is renamed before it is synced")
        self.size[new] = self.size.pop(old, None)
        self.unsynced[new] = self.unsynced.pop(old, False)
        if new == self.path:
            self.step("R")
            self.name_synced, self.owed = False, False
            self.known = {who: True}
            self.counts["rewrites"] += 1
        else:
            self.step("A" if kinds[0] == "saving" else "P")

    def unlink(self, who, path):
        self.need(self.kind(path) in ("new", "saving", "damaged", "salvaged"), 1, f"{path} is removed")
        self.need_lock(who, "removal", path)
        self.step("X")

    def acknowledge(self, who):
        self.need(not self.unsynced.get(self.path), 5, "acknowledged before the sync")
        self.need(not self.owed, 9, "acknowledged before the rewrite")
        self.counts["commits"] += 1


def calls(trace):
    """The calls of a trace as (thread, name, arguments, result); `end` when a thread ended."""
    waiting = {}
    with open(trace, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            thread, rest = LINE.match(line.rstrip("\n")).groups()
            if rest.startswith("+++"):
                yield thread, "end", "", 0
            elif rest.endswith("<unfinished ...>"):
                waiting[thread] = rest[: -len("<unfinished ...>")].rstrip()
                if "LOCK_UN" not in rest:
                    continue
                # Another process may take the lock before this call has returned.
                rest = waiting.pop(thread) + ") = 0"
            elif rest.startswith("<..."):
                if thread not in waiting:
                    continue
                rest = waiting.pop(thread) + re.sub(r"^<\.\.\. \w+ resumed>", "", rest)
            found = CALL.match(rest)
            if found:
                name, args, result, _ = found.groups()
                yield thread, name, args, None if result == "?" else int(result)


def check(store, trace):
    """Runs the automaton on a trace."""
    for thread, name, args, result in calls(trace):
        who = store.of(thread)
        if name in ("clone", "clone3", "fork", "vfork"):
            if result and result > 0 and "CLONE_THREAD" in args:
                store.process[str(result)] = who
            continue
        if name == "end":
            if thread == who:
                store.end(who)
            continue
        if result is None and who in store.replaced:
            continue
        first = args.split(", ")[0]
        named = NAMED.match(first)
        path = named.group(2) if named else None
        if named and named.group(3):
            continue  # a file without a name
        if name in ("openat",):
            text = re.search(r'"([^"]*)"', args)
            path = text.group(1) if text else ""
            path = path if path.startswith("/") else f"{named.group(2)}/{path}"
            if path.startswith(("/proc/", "/sys/", "/dev/")):
                continue
            if result is None or result >= 0:
                store.openat(who, path, args, result)
        elif name == "flock":
            store.flock(who, path, args, result)
        elif name in ("fdatasync", "fsync"):
            if result is not None:
                store.sync(who, path, args, result)
        elif name in ("pwrite64", "ftruncate"):
            getattr(store, name)(who, path, args, result)
        elif name in ("rename", "renameat", "renameat2", "unlink", "unlinkat"):
            if result == 0:
                paths = re.findall(r'"([^"]*)"', args)
                getattr(store, "rename" if name.startswith("rename") else "unlink")(who, *paths)
        elif name == "write" and path is not None and store.kind(path):
            raise Broken(f"rule 1: write instead of pwrite to {path}")
        elif name == "write" and first.startswith("1<") and re.search(r'"\d+(\\n)?"', args):
            if result is not None and result > 0:
                store.acknowledge(who)
        elif name in ("link", "symlink", "truncate", "creat", "pwritev", "writev", "fallocate"):
            if result is not None and result >= 0 and store.folder in args:
                raise Broken(f"rule 1: {name}({args})")


def main():
    """Checks the traces of one store."""
    store = Store(sys.argv[1])
    for trace in sys.argv[2:]:
        try:
            check(store, trace)
        except Broken as broken:
            print(f"{trace}: {broken}")
            sys.exit(1)
        for process in list(store.known) + [store.holder]:
            store.end(process)
    print(", ".join(f"{count} {name}" for name, count in store.counts.items()))


main()
