#!/usr/bin/env python3
"""Fails when the code in Sources uses a name that Docs/glossary.md has replaced with a standard term.

Comments and strings don't count. A row ends with the folders in which a word means something else.
"""
import pathlib
import re
import sys

NAMES = r"""
[Tt]urnstile → AsyncLock
SharedFlight|RefreshFlight|boarding|landing|[Tt]icket → SingleFlight, waiter, completion
strength → isForced
tell|telling|told → send, progress
RefreshSteps|refreshes → refreshProgress()
PageFacts → PageMetadata
rowTokens → rowHashes
isCondemned → requiresRollback
endless\w* → unbounded…
stalled → noProgress
vanished\w* → removed, maximumRemovedFraction
ZooDelivery|SnapshotSync\.Delivery|delivery → Payload, batch | Sources/FieldCore/Outbox Sources/WalkFirestore Sources/FieldFakes Sources/FieldTesting Sources/FieldCore/Sync/Broadcast.swift
ZooLedger|SightingLedger → …Checkpoint
\w*Keeper → …Store
PhotoFindings → PhotoIntegrity
takeOver|adopt → importLegacyData | Sources/FieldCore/Stores Sources/WalkFirestore
bringUp → refreshTable
settle → finalize | Sources/FieldCore/Stores Sources/WalkFirestore
dressed → decorated
judged?|judgedNow|judgeEncoding → evaluatingFreshness(at:), check…
firstWait|longestWait → initialDelay, maximumDelay
mostPages → maximumPageCount
isRepeatable → isIdempotent
isOfLog → usesWAL
CutShort → NeedsRecovery
voices → recordings
question|questions → request, conditional
answer|answers|\w+Answer → response | Sources/CivicKit Sources/FieldCore Sources/FieldFirestore Sources/FieldKit Sources/FieldPortals Sources/FieldTesting Sources/FieldTransit Sources/FieldURLSession Sources/MetroKit Sources/MeteorKit Sources/WalkKit Sources/ZooKit
exchange → request, respond(to:) | Sources/FieldCore Sources/FieldURLSession Sources/MetroKit Sources/WalkKit Sources/ZooKit
LivingBeing → Organism
""".strip().splitlines()

root = pathlib.Path(__file__).resolve().parents[2]
rows = []
for row in NAMES:
    names, rest = row.split(" → ")
    better, _, folders = rest.partition(" | ")
    rows.append((re.compile(rf"(?<!\w)(?:{names})(?!\w)"), better, folders.split()))
found = 0
for path in sorted((root / "Sources").rglob("*.swift")):
    name = path.relative_to(root)
    if ".docc" in str(name):
        continue
    text = re.sub(r'""".*?"""', lambda m: "\n" * m[0].count("\n"), path.read_text(), flags=re.DOTALL)
    for number, line in enumerate(text.split("\n"), 1):
        code = re.sub(r'"(?:\\.|[^"\\])*"|//.*', "", line)
        for pattern, better, folders in rows:
            if (m := pattern.search(code)) and not any(name.is_relative_to(f) for f in folders):
                found += 1
                print(f"{name}:{number}: {m[0]} → {better}")
sys.exit(f"old-names: {found} names to replace" if found else 0)
