#!/usr/bin/env python3
"""Feeds each public entry that takes text or bytes with some seventy shapes of growing length, counts the instructions
with callgrind, and fails if their number grows faster than length to the power of 1.2. Neither the load of
the machine nor its clock matters.

    Scripts/Checks/growth.py [--full] [--table] [ENTRY...]

The entries are those of Scripts/Tools/Sources/Growth. They are compared with the public symbols, so that a new one
can't be forgotten: each symbol that takes text, bytes, a URL, or a transport must be tried there, or growth-kept.txt says
why it needn't be. The short form compares everything, but tries a part of the pairs at two lengths: one or two shapes of
most entries, others for each FIELDKIT_SEED. --full tries all pairs with up to 256 KB: it takes the processor's time of each
without callgrind, which is a hundred times as fast, and then counts the instructions of those whose time
grows faster than length to the power of 1.15. An ENTRY is a part of the name of an entry. Without valgrind, only the symbols
are compared. GROWTH names a built binary, and MODULES the folder of the compiled modules.
"""
import collections, json, math, os, re, shutil, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
modules = ["FieldCore", "FieldPortals", "FieldXML", "FieldFirestore", "ZooKit", "MetroKit", "MeteorKit", "WalkKit",
           "WalkFirestore", "CivicKit", "FieldURLSession", "FieldTransit", "FieldKit"]
LARGEST_EXPONENT = 1.2
# What --full counts, because its time grows faster; caches and allocations make some that are linear reach it.
DOUBTFUL_EXPONENT = 1.15
# Shorter times say little.
SHORTEST = 1000
# The short form measures two of these shares of the pairs.
SHARES = 96
# StringProtocol.contains(_:) for another text.
SEARCH_BY_CHARACTERS = "$sSy17_StringProcessingE8containsySbSSF"
# Literals are written in the program.
LITERALS = re.compile(r"\.init\((stringLiteral|dictionaryLiteral):\)$")
KEPT = os.path.join(root, "Scripts/Checks/growth-kept.txt")
# Text and bytes come as such, in the file or the address that a URL names, or as the response of a server.
TAKES = re.compile(r"\b(String|Substring|StringProtocol|Data|UInt8|RawSpan|UTF8Span|URL|Transport|TransportResponse)\b")
KINDS = {"swift.init", "swift.method", "swift.type.method", "swift.func", "swift.func.op", "swift.subscript",
         "swift.type.subscript", "swift.enum.case"}


def module_folder():
    """Returns the folder of the compiled modules. The folders of their object files are beside it."""
    if places := os.environ.get("MODULES"): return places
    scratch = os.environ.get("SCRATCH", os.path.join(root, ".build"))
    return subprocess.run(["swift", "build", "--show-bin-path", "--scratch-path", scratch], cwd=root, check=True,
                          capture_output=True, text=True).stdout.strip() + "/Modules"


def public_entries(places):
    """Returns the public symbols that take text or bytes, as Module.Path."""
    target = json.loads(subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True,
                                       text=True).stdout)["target"]["triple"]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for module in modules:
            subprocess.run(["swift", "symbolgraph-extract", "-module-name", module, "-target", target, "-I", places,
                            "-output-dir", folder, "-minimum-access-level", "public",
                            "-skip-synthesized-members"], check=True)
        for file in sorted(os.listdir(folder)):
            with open(os.path.join(folder, file)) as graph:
                graph = json.load(graph)
            enums = {tuple(symbol["pathComponents"]) for symbol in graph["symbols"]
                     if symbol["kind"]["identifier"] == "swift.enum"}
            for symbol in graph["symbols"]:
                if symbol["kind"]["identifier"] not in KINDS: continue
                declaration = "".join(part["spelling"] for part in symbol["declarationFragments"])
                path = symbol["pathComponents"]
                # The compiler writes `init?(rawValue:)` of enums: a comparison with each case.
                if path[-1] == "init(rawValue:)" and tuple(path[:-1]) in enums: continue
                parameters = symbol.get("functionSignature", {}).get("parameters", [])
                types = " ".join("".join(part["spelling"] for part in parameter.get("declarationFragments", []))
                                 for parameter in parameters)
                # A case has no signature of a function, and `some Sequence<UInt8>` may be a generic parameter.
                if symbol["kind"]["identifier"] == "swift.enum.case": types = declaration
                types += " " + json.dumps(symbol.get("swiftGenerics", {}))
                if TAKES.search(types):
                    found[graph["module"]["name"] + "." + ".".join(symbol["pathComponents"])] = declaration
    return found


def compare(binary, places):
    """Returns the complaints about symbols that are neither tried nor named as keeping their arguments."""
    listed = subprocess.run([binary, "list"], check=True, capture_output=True, text=True).stdout
    tried = {name for line in listed.splitlines() for name in line.split("\t")}
    public = public_entries(places)
    kept = {}
    with open(KEPT) as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, _, reason = line.rstrip("\n").partition("\t")
                kept[name] = reason
    complaints = []
    for name, declaration in sorted(public.items()):
        if name in tried or name in kept or LITERALS.search(name): continue
        complaints.append(f"{name} takes text or bytes, but Growth doesn't try it: {declaration}")
    complaints += [f"{name} is in growth-kept.txt, but no public symbol takes text under that name"
                   for name in sorted(set(kept) - set(public))]
    complaints += [f"{name} is in growth-kept.txt, but Growth tries it" for name in sorted(set(kept) & tried)]
    return complaints, len(public), len(tried & set(public)), len(kept)


def timed(binary, sizes, entries):
    """Returns the microseconds of each pair, without callgrind: {(entry, shape): [(length, microseconds)]}."""
    def run(part):
        command = [binary, "time", ",".join(map(str, sizes)), f"{part}/{os.cpu_count()}", *entries]
        return subprocess.run(command, check=True, capture_output=True, text=True, errors="replace").stdout
    pairs = collections.defaultdict(list)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        for output in pool.map(run, range(os.cpu_count())):
            for line in output.splitlines():
                entry, shape, length, time = line.split("\t")
                pairs[entry, shape].append((int(length), max(1, int(time))))
    return pairs


def is_doubtful(times):
    """Returns whether a time grows faster than DOUBTFUL_EXPONENT between two lengths."""
    return any(after[1] >= SHORTEST and exponent([before, after]) > DOUBTFUL_EXPONENT
               for before, after in zip(times, times[1:]))


def find_doubtful(binary, entries):
    """Returns all pairs, timed, and those whose time grows too fast twice."""
    sizes = [4096, 32768, 262144]
    pairs = timed(binary, sizes, entries)
    doubtful = [f"{entry}\t{shape}" for (entry, shape), times in pairs.items() if is_doubtful(times)]
    again = timed(binary, sizes, doubtful) if doubtful else {}
    return pairs, [f"{entry}\t{shape}" for (entry, shape), times in again.items() if is_doubtful(times)]


def exponent(counts):
    """Returns the growth from the last length but one to the last."""
    (length, count), (longer, more) = counts[-2:]
    return math.log(more / count) / math.log(longer / length)


def slow_searches(places):
    """Returns the object files that search a text for another by characters, quadratic in a run of flags."""
    found = []
    if not shutil.which("nm"): return found
    for module in modules:
        folder = os.path.join(os.path.dirname(places), f"{module}.build")
        for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            if not file.endswith(".o"): continue
            symbols = subprocess.run(["nm", "-u", os.path.join(folder, file)], capture_output=True, text=True).stdout
            if SEARCH_BY_CHARACTERS in symbols: found.append(f"{module}/{file.removesuffix('.o')}")
    return found


def measure(binary, sizes, part, parts, entries):
    """Returns the counts of each pair of an entry and a shape: [(length, instructions)]."""
    with tempfile.TemporaryDirectory() as folder:
        command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={folder}/log", binary,
                   "measure", ",".join(map(str, sizes)), f"{part}/{parts}", *entries]
        environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
        run = subprocess.run(command, capture_output=True, text=True, env=environment)
        with open(f"{folder}/log", errors="replace") as log: lines = log.read().splitlines()
    if run.returncode != 0:
        raise SystemExit(f"growth: {' '.join(command)} failed with {run.returncode}:\n{run.stderr[-2000:]}\n"
                         + "\n".join(lines[-60:]))
    counts, notes = collections.defaultdict(list), []
    for line in lines:
        label = re.search(r"@((?:[^\t]+\t[^\t]+\t\d+)|end)$", line)
        if label: notes.append([label.group(1), 0])
        elif (total := re.match(r"(?:\*\*\d+\*\* )?events-\d+: (\d+)", line)) and notes: notes[-1][1] += int(total.group(1))
    for (label, before), (end, after) in zip(notes, notes[1:]):
        if label == "end": continue
        if end != "end": raise SystemExit(f"growth: {label} has no end")
        entry, shape, length = label.split("\t")
        counts[entry, shape].append((int(length), after - before))
    return counts


def build():
    """Builds the tool with the gate's flags, if it runs in the gate, and returns its path."""
    scratch = os.environ.get("SCRATCH", os.path.join(root, ".build"))
    flags = os.environ.get("RELEASE_FLAGS", "-c release -Xswiftc -enable-testing").split()
    command = ["swift", "build", *flags, "--package-path", "Scripts/Tools", "--scratch-path", scratch]
    subprocess.run([*command, "--product", "Growth"], cwd=root, check=True)
    return subprocess.run([*command, "--show-bin-path"], cwd=root, check=True, capture_output=True,
                          text=True).stdout.strip() + "/Growth"


def measure_in_parallel(binary, sizes, parts, entries):
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        return {pair: counts for some in pool.map(lambda part: measure(binary, sizes, *part, entries), parts)
                for pair, counts in some.items() if len(counts) > 1}


def print_table(counted, tried, worst):
    """Prints a row for each module: what was tried, and which of the counts grows fastest."""
    print("| module | entries | pairs | counted | steepest growth |\n|---|---|---|---|---|")
    of_module = lambda name: name.partition(".")[0]
    for module in modules:
        names = {entry for entry, _ in tried if of_module(entry) == module}
        if not names: continue
        steepest = max(((worst[entry][0], entry, worst[entry][1]) for entry in names if entry in worst), default=None)
        print(f"| {module} | {len(names)} | {sum(of_module(entry) == module for entry, _ in tried)} | "
              f"{sum(of_module(entry) == module for entry, _ in counted)} | "
              + (f"{steepest[0]:.2f}: `{steepest[1].partition('.')[2]}`, {steepest[2]} |" if steepest else "none |"))


def main():
    arguments = sys.argv[1:]
    full, table = "--full" in arguments, "--table" in arguments
    entries = [word for word in arguments if not word.startswith("--")]
    binary = os.environ.get("GROWTH") or build()
    places = module_folder()
    complaints, public, entry_count, kept = compare(binary, places)
    complaints += [f"{file} searches by characters; use `contains(bytesOf:)`" for file in slow_searches(places)]
    print(f"growth: {public} public entries take text or bytes; {entry_count} are tried, "
          f"and growth-kept.txt has a reason for {kept}")
    for complaint in complaints: print("growth:", complaint)
    if not shutil.which("valgrind"):
        print("growth: skipped the measurements, because valgrind is missing")
        return 1 if complaints else 0
    tried = None
    if full:
        tried, entries = find_doubtful(binary, entries)
        print(f"growth: {len(tried)} pairs of an entry and a shape timed with up to 256 KB; "
              f"the time of {len(entries)} grows fast enough to count instructions")
    if full or entries:
        # The break after a length that takes long keeps this from taking hours.
        sizes, parts = [16384, 65536] if full else [2048, 4096, 8192], [(part, 2) for part in range(2)]
    else:
        # Each run tries a shape or two of each entry, and others for another seed.
        seed = int(os.environ.get("FIELDKIT_SEED", "1"))
        sizes, parts = [1024, 4096], [((seed * 2 + part) % SHARES, SHARES) for part in range(2)]
    pairs = measure_in_parallel(binary, sizes, parts, entries) if entries or not full else {}
    # What grows fast between short texts is tried with longer ones, where a constant part or another path counts less.
    doubtful = [f"{entry}\t{shape}" for (entry, shape), counts in pairs.items()
                if exponent(counts) > LARGEST_EXPONENT]
    if doubtful and not full:
        pairs |= measure_in_parallel(binary, [8192, 16384, 32768], [(part, 2) for part in range(2)], doubtful)
    worst = collections.defaultdict(lambda: (0.0, "", 0))
    steep = []
    for (entry, shape), counts in pairs.items():
        grows = exponent(counts)
        worst[entry] = max(worst[entry], (grows, shape, counts[-1][1] / counts[-1][0]))
        if grows > LARGEST_EXPONENT: steep.append((grows, entry, shape, counts))
    if table: print_table(pairs, tried or pairs, worst)
    for grows, entry, shape, counts in sorted(steep, reverse=True):
        print(f"growth: {entry}, {shape}: the exponent is {grows:.2f}: "
              + ", ".join(f"{length} bytes {count}" for length, count in counts))
    print(f"growth: {len(pairs)} pairs of an entry and a shape measured, {len(steep)} grow faster than "
          f"length to the power of {LARGEST_EXPONENT}")
    return 1 if steep or complaints else 0


sys.exit(main())
